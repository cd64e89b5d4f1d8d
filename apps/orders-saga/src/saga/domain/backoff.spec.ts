import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { doublingGap, jittered } from './backoff';

describe('the gaps between tries', () => {
  it('when they double, then they stop at the cap, however many tries there were', () => {
    expect([0, 1, 2, 7, 8, 5_000].map((done) => doublingGap(done, 2_000, 300_000))).toEqual([
      2_000, 4_000, 8_000, 256_000, 300_000, 300_000,
    ]);
  });

  it('when they are jittered, then they are never shorter than spec §4.6 says, and a tenth longer at most', () => {
    fc.assert(
      fc.property(
        fc.nat(60_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (ms, draw) => {
          const wait = jittered(ms, () => draw);
          expect(wait).toBeGreaterThanOrEqual(ms);
          expect(wait).toBeLessThanOrEqual(ms * 1.1);
        },
      ),
    );
    expect(jittered(1_000, () => 0.5)).toBe(1_050);
  });
});
