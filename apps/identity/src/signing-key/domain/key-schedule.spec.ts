import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TOKEN_LIFETIME_SECONDS } from '../../token/domain/claims';
import {
  JWKS_MAX_AGE_MS,
  KEY_RING_MAX_AGE_MS,
  PUBLISH_AFTER_MS,
  nextKeyDue,
  publishedKeysAt,
  signingKeyAt,
  type MadeKey,
} from './key-schedule';

const HOUR_MS = 3_600_000;
const LIFETIME_MS = TOKEN_LIFETIME_SECONDS * 1000;

interface HistoricKey extends MadeKey {
  createdAt: number;
}

/** The keys that rotation rounds at these times make, each round some way after the one before. */
function rotate(rounds: readonly number[], rotationMs: number): HistoricKey[] {
  const keys: HistoricKey[] = [];
  for (const at of rounds) {
    const due = nextKeyDue(keys.at(-1), new Date(at), rotationMs);
    if (due) keys.push({ ...due, createdAt: at, revokedAt: null });
  }
  return keys;
}

/** What an instance that read the keys at a time knows. */
function readAt(keys: readonly HistoricKey[], at: number): HistoricKey[] {
  return keys.filter((key, index) => {
    const successor = keys[index + 1];
    const isForgotten = successor !== undefined && successor.signFrom.getTime() + PUBLISH_AFTER_MS <= at;
    return key.createdAt <= at && !isForgotten;
  });
}

const BEHIND = [0, KEY_RING_MAX_AGE_MS - 1];

/** Looks around a hand-over at every edge: how old signer's and publisher's knowledge is, when the set was fetched. */
function expectAllVerified(keys: readonly HistoricKey[], handOver: number, offset: number): void {
  for (const signedAt of [handOver - 1, handOver, handOver + KEY_RING_MAX_AGE_MS - 1, handOver + offset]) {
    for (const signerBehind of BEHIND) {
      const key = signingKeyAt(readAt(keys, signedAt - signerBehind), new Date(signedAt));
      for (const fetchedAt of [signedAt - JWKS_MAX_AGE_MS, signedAt, signedAt + LIFETIME_MS]) {
        for (const publisherBehind of BEHIND) {
          const published = publishedKeysAt(readAt(keys, fetchedAt - publisherBehind), new Date(fetchedAt));
          expect(published.map((one) => one.generation)).toContain(key?.generation);
        }
      }
    }
  }
}

describe('key schedule', () => {
  it('when any instance signs at any time, then every key set a verifier may hold has the key', () => {
    const gap = fc.oneof(fc.integer({ min: 1, max: 120_000 }), fc.integer({ min: 1, max: 96 * HOUR_MS }));
    const history = fc.record({
      rotationMs: fc.integer({ min: HOUR_MS, max: 48 * HOUR_MS }),
      gaps: fc.array(gap, { minLength: 1, maxLength: 60 }),
      offset: fc.integer({ min: -LIFETIME_MS, max: 2 * LIFETIME_MS }),
    });
    fc.assert(
      fc.property(history, ({ rotationMs, gaps, offset }) => {
        let now = 1_000_000_000_000;
        const keys = rotate([now, ...gaps.map((one) => (now += one))], rotationMs);
        for (const handOver of keys.slice(1)) expectAllVerified(keys, handOver.signFrom.getTime(), offset);
      }),
      { numRuns: 200 },
    );
  });

  it('when the rotation stood still past its time, then the old key signs until the new one has been published long enough', () => {
    const keys = rotate([0, 100 * HOUR_MS], HOUR_MS);
    const late = 100 * HOUR_MS;
    expect(keys.map((key) => key.generation)).toEqual([1, 2]);
    expect(signingKeyAt(keys, new Date(late + JWKS_MAX_AGE_MS))?.generation).toBe(1);
    expect(signingKeyAt(keys, new Date(late + HOUR_MS))?.generation).toBe(2);
  });

  it('when the successor has long taken over, then the old key is published no more', () => {
    const keys = rotate([0, HOUR_MS], HOUR_MS);
    const handOver = keys[1]?.signFrom.getTime() ?? 0;
    const generations = (at: number): number[] =>
      publishedKeysAt(keys, new Date(at)).map((key) => key.generation);
    expect(generations(handOver - 1)).toEqual([1, 2]);
    expect(generations(handOver + LIFETIME_MS)).toEqual([1, 2]);
    expect(generations(handOver + PUBLISH_AFTER_MS)).toEqual([2]);
  });
});
