import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AttemptResult } from './attempt';
import { gapAfter, MAX_ATTEMPTS, planAfter } from './retry-plan';

const policy = { baseMs: 30_000, capMs: 3_600_000 };
const failed: AttemptResult = { responseStatus: 500, durationMs: 1, errorSummary: 'Delivery failed' };
const succeeded: AttemptResult = { responseStatus: 200, durationMs: 1, errorSummary: null };

describe('the plan of retries (spec §10.5)', () => {
  it('when attempts keep failing, then the gaps are 30 s, 1 min, 2 min … and the eighth is the last', () => {
    const steps = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => planAfter(attempt, failed, policy));
    expect(steps.slice(0, 7)).toEqual(
      [30, 60, 120, 240, 480, 960, 1_920].map((seconds) => ({ status: null, gapMs: seconds * 1_000 })),
    );
    expect(steps[7]).toEqual({ status: 'DeadLettered' });
  });

  it('when an attempt succeeds, then the delivery ends whichever attempt it was', () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1)
      expect(planAfter(attempt, succeeded, policy)).toEqual({ status: 'Delivered' });
  });

  it('when the doubling passes the cap, then the gap is the cap, and it never shrinks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 10_000_000 }),
        (baseMs, capMs) => {
          const gaps = [1, 2, 3, 4, 5, 6, 7].map((attempt) => gapAfter(attempt, { baseMs, capMs }));
          expect(Math.max(...gaps)).toBeLessThanOrEqual(capMs);
          expect([...gaps].sort((a, b) => a - b)).toEqual(gaps);
          expect(gaps[0]).toBe(Math.min(baseMs, capMs));
        },
      ),
    );
  });
});
