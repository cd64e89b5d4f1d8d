import { describe, expect, it, jest } from '@jest/globals';
import { silentLog } from '@reseller/testing';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { createRateLimits } from './rate-limits';
import { SlidingWindowMemory } from './sliding-window-memory';

const START = 1_800_000_000_000; // a multiple of 15 s

/** The rule of spec §11.1 said as plainly as it can be: a list of the instants that were let through. */
class PlainModel {
  private passed: number[] = [];
  constructor(private readonly limit: number) {}
  private inWindow(now: number): number {
    const segment = Math.floor(now / 15_000);
    return this.passed.filter((at) => Math.floor(at / 15_000) > segment - 4).length;
  }
  consume(now: number): 'passes' | number {
    if (this.inWindow(now) < this.limit) {
      this.passed.push(now);
      return 'passes';
    }
    let later = now;
    while (this.inWindow(later) >= this.limit) later = (Math.floor(later / 15_000) + 1) * 15_000;
    return later - now;
  }
}

async function outcomeOf(limiter: SlidingWindowMemory, key = 'a', permits = 1): Promise<'passes' | number> {
  try {
    await limiter.consume(key, permits);
    return 'passes';
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext;
    throw refusal;
  }
}

describe('SlidingWindowMemory (spec §11.1)', () => {
  it('when any sequence of requests arrives, then it responds as the plain model does', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), gaps, async (limit, waits) => {
        let now = START;
        const limiter = new SlidingWindowMemory(limit, () => now);
        const model = new PlainModel(limit);
        for (const wait of waits) {
          now += wait;
          expect(await outcomeOf(limiter)).toBe(model.consume(now));
        }
      }),
    );
  });

  it('when 300 passed in the window, then the 301st is refused until the first segment leaves', async () => {
    let now = START + 14_000;
    const limiter = new SlidingWindowMemory(300, () => now);
    for (let i = 0; i < 100; i += 1) await limiter.consume('a');
    now = START + 59_999;
    for (let i = 0; i < 200; i += 1) await limiter.consume('a');
    expect(await outcomeOf(limiter)).toBe(1);
    expect(await outcomeOf(limiter, 'b')).toBe('passes');
    now = START + 60_000;
    for (let i = 0; i < 100; i += 1) expect(await outcomeOf(limiter)).toBe('passes');
    expect(await outcomeOf(limiter)).toBe(45_000);
  });

  it('when keys fall silent, then they are forgotten within a minute', async () => {
    let now = START;
    const limiter = new SlidingWindowMemory(5, () => now);
    for (let i = 0; i < 10_000; i += 1) await limiter.consume(`address-${i}`);
    now += 60_000;
    await limiter.consume('address-0');
    expect(limiter.size).toBe(1);
  });

  it('when more keys come than are held, then the one seen least lately has its permits again (spec §14.3)', async () => {
    const limiter = new SlidingWindowMemory(1, () => START, 3);
    for (const key of ['a', 'b', 'c']) await limiter.consume(key);
    expect(await outcomeOf(limiter, 'a')).not.toBe('passes');
    await limiter.consume('d');
    expect(limiter.size).toBe(3);
    expect(await outcomeOf(limiter, 'a')).not.toBe('passes');
    expect(await outcomeOf(limiter, 'b')).toBe('passes');
  });

  it('when no permit is taken, then it only says whether one would be given (spec §14.3)', async () => {
    const limiter = new SlidingWindowMemory(1, () => START);
    for (let i = 0; i < 3; i += 1) expect(await outcomeOf(limiter, 'a', 0)).toBe('passes');
    expect(await outcomeOf(limiter, 'a')).toBe('passes');
    expect(await outcomeOf(limiter, 'a', 0)).toBe(60_000);
  });

  it('when the clock steps back, then nothing is given away', async () => {
    let now = START + 60_000;
    const limiter = new SlidingWindowMemory(2, () => now);
    await limiter.consume('a');
    now = START;
    await limiter.consume('a');
    expect(await outcomeOf(limiter)).not.toBe('passes');
  });

  it('when the machine’s clock is set back an hour, then permits come back within a minute all the same', async () => {
    jest.useFakeTimers({ now: START });
    try {
      const limiter = new SlidingWindowMemory(1);
      await limiter.consume('a');
      jest.setSystemTime(START - 3_600_000);
      expect(await outcomeOf(limiter)).not.toBe('passes');
      jest.advanceTimersByTime(60_000);
      expect(await outcomeOf(limiter)).toBe('passes');
    } finally {
      jest.useRealTimers();
    }
  });

  it('when a permit comes back within a part of a second, then who is refused is to wait for the whole of it', async () => {
    jest.useFakeTimers({ now: START + 300 });
    try {
      const metrics = new Registry();
      const limits = await createRateLimits({ tokenPermits: 1, defaultPermits: 1, log: silentLog, metrics });
      const limiter = new SlidingWindowMemory(1);
      await Promise.all([limits.byClient('a'), limiter.consume('a')]);
      const retryAfterSeconds = Math.ceil(Number(await outcomeOf(limiter)) / 1_000);
      expect(() => limits.byClient('a')).toThrow(
        expect.objectContaining({ code: 'RATE_LIMITED', details: { retryAfterSeconds } }),
      );
    } finally {
      jest.useRealTimers();
    }
  });
});
