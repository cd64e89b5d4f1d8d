import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { silentLog } from '@reseller/testing';
import type { Caller } from './claims';
import { Revocations } from './revocations';

const UNCHANGED = {
  version: '1',
  isUnchanged: true,
  frozenPartnerIds: [],
  revokedClientIds: [],
  revokedKeyIds: [],
};
/** The deadline of the call. */
const LOST_AFTER_MS = 1_500;
const CALLER = { scope: { partnerId: 'p' }, limitedAs: 'c', keyId: 'k' } as unknown as Caller;

describe('how often the tokens to refuse are fetched (spec §18.5)', () => {
  let fetches: number;
  let isAway: boolean;
  /** When lists came, in milliseconds. */
  let cameAt: number[];
  let isNextLost: boolean;
  let frozenPartnerIds: string[];
  let revocations: Revocations;
  beforeEach(() => {
    jest.useFakeTimers();
    fetches = 0;
    isAway = false;
    isNextLost = false;
    frozenPartnerIds = [];
    cameAt = [];
    revocations = begin();
  });
  const begin = (): Revocations => {
    const begun = new Revocations({
      fetch: () => {
        fetches += 1;
        if (isNextLost) {
          isNextLost = false;
          return new Promise((_, reject) => setTimeout(() => reject(new Error('lost')), LOST_AFTER_MS));
        }
        if (isAway) return Promise.reject(new Error('away'));
        cameAt.push(Date.now());
        if (frozenPartnerIds.length === 0) return Promise.resolve(UNCHANGED);
        return Promise.resolve({ ...UNCHANGED, isUnchanged: false, frozenPartnerIds });
      },
      log: silentLog,
    });
    begun.start();
    return begun;
  };
  afterEach(() => {
    revocations.stop();
    jest.useRealTimers();
  });

  async function fetchesIn(seconds: number, isUsed: boolean): Promise<number> {
    const before = fetches;
    for (let n = 0; n < seconds * 10; n += 1) {
      if (isUsed) revocations.refusalOf(CALLER);
      await jest.advanceTimersByTimeAsync(100);
    }
    return fetches - before;
  }

  it('when tokens are checked, then every second; when none is, then less often', async () => {
    await fetchesIn(3, true);
    expect(await fetchesIn(10, true)).toBe(10);
    await fetchesIn(3, false);
    expect(await fetchesIn(10, false)).toBe(6);
  });

  it('when identity does not respond, then every second, so that a lost call is made up for in time', async () => {
    isAway = true;
    await fetchesIn(3, false);
    expect(await fetchesIn(10, false)).toBe(10);
  });

  it('when it has responded to none yet, then ten times a second, for no token can be checked before', async () => {
    revocations.stop();
    isAway = true;
    revocations = begin();
    expect(await fetchesIn(2, false)).toBe(20);
    expect(revocations.isKnown).toBe(false);
    isAway = false;
    await fetchesIn(1, false);
    expect(revocations.isKnown).toBe(true);
  });

  it('when the call after a rest is lost, then lists still come within 5 s of the last ones', async () => {
    await fetchesIn(4, false);
    isNextLost = true;
    await fetchesIn(10, false);
    expect(Math.max(...cameAt.slice(1).map((at, n) => at - cameAt[n]!))).toBeLessThan(5_000);
    expect(isNextLost).toBe(false);
  });

  it('when the process stood still during a call, then the next token waits for what was revoked meanwhile', async () => {
    await fetchesIn(3, true);
    expect(revocations.renewal()).toBeUndefined();
    isNextLost = true;
    await fetchesIn(1, true);
    frozenPartnerIds = ['p'];
    // Time goes by, and no timer fires.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    const renewal = revocations.renewal();
    await jest.advanceTimersByTimeAsync(LOST_AFTER_MS);
    await renewal;
    expect(revocations.refusalOf(CALLER)).toBe('UNAUTHORIZED_PARTNER_FROZEN');
    expect(revocations.renewal()).toBeUndefined();
  });

  it('when identity is away, then tokens wait for no more than the call under way', async () => {
    isAway = true;
    await fetchesIn(20, true);
    expect(revocations.renewal()).toBeUndefined();
  });
});
