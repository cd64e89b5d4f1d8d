import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeySet } from './key-set';

const log = { info: () => undefined, warn: () => undefined };
const jwks = (kid: string) =>
  JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43), kid }] });

describe('KeySet', () => {
  let responses: (() => Promise<{ jwksJson: string; maxAgeSeconds: number }>)[];
  let fetched: number;
  let keys: KeySet;
  beforeEach(() => {
    jest.useFakeTimers();
    fetched = 0;
    responses = [];
    keys = new KeySet({
      log,
      maxAgeMs: 600_000,
      fetch: () => {
        const response = responses[Math.min(fetched, responses.length - 1)];
        fetched += 1;
        return response ? response() : Promise.reject(new Error('away'));
      },
    });
  });
  afterEach(() => {
    keys.stop();
    jest.useRealTimers();
  });

  const gives = (kid: string) => () => Promise.resolve({ jwksJson: jwks(kid), maxAgeSeconds: 60 });
  const fails = () => Promise.reject(new Error('away'));

  it('when half of the allowed age has passed, then it asks again by itself', async () => {
    responses = [gives('a'), gives('a'), gives('b')];
    keys.start();
    await jest.advanceTimersByTimeAsync(29_999);
    expect([fetched, keys.version]).toEqual([1, 1]);
    await jest.advanceTimersByTimeAsync(1);
    expect([fetched, keys.version]).toEqual([2, 1]);
    await jest.advanceTimersByTimeAsync(30_000);
    expect([fetched, keys.version]).toEqual([3, 2]);
  });

  it('when identity is away at first, then it is fetched again within half a second until it responds', async () => {
    responses = [fails, fails, fails, fails, gives('a')];
    keys.start();
    await jest.advanceTimersByTimeAsync(1_199);
    expect(keys.current).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(keys.current).toBeDefined();
  });

  it('when identity goes away or returns nonsense later, then the known keys stay', async () => {
    responses = [gives('a'), fails, () => Promise.resolve({ jwksJson: 'nonsense', maxAgeSeconds: 60 })];
    keys.start();
    await jest.advanceTimersByTimeAsync(40_000);
    expect(fetched).toBeGreaterThan(2);
    expect([keys.current !== undefined, keys.version]).toEqual([true, 1]);
  });

  it('when identity stays away for longer than keys may age, then they verify nothing until it is back', async () => {
    responses = [gives('a'), fails];
    keys.start();
    await jest.advanceTimersByTimeAsync(600_000);
    expect(keys.current).toBeDefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(keys.current).toBeUndefined();
    responses = [gives('a')];
    await jest.advanceTimersByTimeAsync(5_000);
    expect([keys.current !== undefined, keys.version]).toEqual([true, 1]);
  });

  it('when the clock has leapt since the last fetch, as after a sleep of the machine, then they are fetched as soon as one is wanted', async () => {
    responses = [gives('a')];
    keys.start();
    await jest.advanceTimersByTimeAsync(1);
    jest.setSystemTime(Date.now() + 600_001);
    expect([keys.current, keys.current]).toEqual([undefined, undefined]);
    await jest.advanceTimersByTimeAsync(1);
    expect([keys.current !== undefined, fetched]).toEqual([true, 2]);
  });

  it('when many tokens name a key that was made right after a fetch, then there is one more, and no other for three seconds', async () => {
    responses = [gives('a')];
    keys.start();
    await jest.advanceTimersByTimeAsync(1);
    const found = await Promise.all(Array.from({ length: 50 }, () => keys.refreshForUnknownKey()));
    expect([fetched, new Set(found)]).toEqual([2, new Set([true])]);
    expect([await keys.refreshForUnknownKey(), fetched]).toEqual([false, 2]);
  });
});
