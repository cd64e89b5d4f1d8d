import { describe, expect, it } from '@jest/globals';
import { waitBeforeRetry, type Attempt, type Repeat } from './retry.ts';

const longest = () => 1;

describe('when an attempt has ended, then the same request is sent again', () => {
  it.each<[string, Attempt, Repeat, number | undefined]>([
    ['after a 429, when it says', { status: 429, retryAfterSeconds: 7 }, 'never', 7_000],
    [
      'while the first request still runs',
      { status: 409, state: 'CONFLICT_ORDER_IN_PROGRESS', retryAfterSeconds: 2 },
      'always',
      2_000,
    ],
    [
      'while the first of a key still runs',
      { status: 409, state: 'CONFLICT_REQUEST_IN_PROGRESS', retryAfterSeconds: 1 },
      'with-key',
      1_000,
    ],
    ['after a 503, not before it says', { status: 503, retryAfterSeconds: 3 }, 'always', 3_000],
    ['after a 500', { status: 500 }, 'with-key', 250],
    ['after no response', {}, 'always', 250],
    ['but not when it may have been done and must not be twice', {}, 'never', undefined],
    ['but not after a 500 that may have done it', { status: 500 }, 'never', undefined],
    [
      'but not after a conflict of another kind',
      { status: 409, state: 'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE' },
      'always',
      undefined,
    ],
    ['but not after a refusal', { status: 422, state: 'BUSINESS_INSUFFICIENT_BALANCE' }, 'always', undefined],
    ['but not after a success', { status: 200, state: 'SUCCESS' }, 'always', undefined],
  ])('%s', (_, attempt, repeat, wait) => {
    expect(waitBeforeRetry(attempt, repeat, 1, longest)).toBe(wait);
  });

  it('less and less often, and never longer than eight seconds apart', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => waitBeforeRetry({}, 'always', attempts, longest));
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(waitBeforeRetry({}, 'always', 7, () => 0)).toBe(4_000);
  });
});
