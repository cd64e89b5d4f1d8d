import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChangeWatch, TOPICS, type Fingerprints, type Topic } from './change-watch';

const EVERY_MS = 2_500;

describe('a watch for changes', () => {
  let looks: number;
  let values: Partial<Record<Topic, unknown>>;
  let watch: ChangeWatch;
  let fingerprints: Fingerprints;
  const watching = (stalenessMs: number): ChangeWatch =>
    new ChangeWatch({ fingerprints, everyMs: EVERY_MS, stalenessMs, log: { warn: () => undefined } });
  const pass = (rounds: number): Promise<void> => jest.advanceTimersByTimeAsync(rounds * EVERY_MS);

  beforeEach(() => {
    jest.useFakeTimers();
    looks = 0;
    values = {};
    fingerprints = Object.fromEntries(
      TOPICS.map((topic) => [
        topic,
        () => {
          looks += 1;
          if (values[topic] instanceof Error) return Promise.reject(values[topic]);
          return Promise.resolve(values[topic] ?? 0);
        },
      ]),
    ) as Fingerprints;
    watch = watching(0);
  });
  afterEach(() => {
    watch.close();
    jest.useRealTimers();
  });

  it('when nobody listens, then nothing is looked at, before and after', async () => {
    await pass(3);
    expect(looks).toBe(0);
    const listening = watch.listen();
    await pass(2);
    expect(looks).toBeGreaterThan(TOPICS.length);
    listening.leave();
    await pass(1);
    const before = looks;
    await pass(5);
    expect(looks).toBe(before);
  });

  it('when two listen, then one look serves both, and each hears of a change once', async () => {
    const [one, other] = [watch.listen(), watch.listen()];
    await pass(1);
    values.orders = 1;
    values.partners = 'Acme';
    const heard = [one.next(60_000), other.next(60_000)];
    await pass(1);
    expect(await Promise.all(heard)).toEqual([
      ['orders', 'partners'],
      ['orders', 'partners'],
    ]);
    const nothing = one.next(10_000);
    await pass(4);
    expect(await nothing).toEqual([]);
  });

  it('when a change comes while a listener is busy, then it hears of it at its next wait', async () => {
    const listening = watch.listen();
    await pass(1);
    values.approvals = 1;
    await pass(1);
    expect(await listening.next(1)).toEqual(['approvals']);
  });

  it('when one comes to a watch that stood still, then it has begun once everything has been looked at', async () => {
    const { hasBegun, next } = watch.listen();
    await hasBegun;
    expect(looks).toBe(TOPICS.length);
    values.orders = 1;
    await pass(1);
    expect(await next(1)).toEqual(['orders']);
  });

  it('when a service was away, then what changed meanwhile is heard once it is back', async () => {
    const listening = watch.listen();
    await pass(1);
    values.deadLetters = new Error('away');
    await pass(2);
    values.deadLetters = 1;
    await pass(1);
    expect(await listening.next(1)).toEqual(['deadLetters']);
  });

  it('when a service was away as the watch began, then it counts as changed once it is back', async () => {
    values.orders = new Error('away');
    const listening = watch.listen();
    await listening.hasBegun;
    values.orders = 1;
    await pass(1);
    expect(await listening.next(1)).toEqual(['orders']);
  });

  it('when it is closed, or the caller leaves, then a wait ends at once', async () => {
    const listening = watch.listen();
    const caller = new AbortController();
    const left = listening.next(60_000, caller.signal);
    caller.abort();
    expect(await left).toEqual([]);
    const waiting = listening.next(60_000);
    watch.close();
    expect(await waiting).toEqual([]);
  });

  it('when what is read may be older, then a change is said again once everything that is read shows it', async () => {
    watch = watching(4 * EVERY_MS);
    const listening = watch.listen();
    await pass(1);
    values.orders = 1;
    const first = listening.next(60_000);
    await pass(1);
    expect(await first).toEqual(['orders']);
    const again = listening.next(60_000);
    await pass(3);
    const early = await Promise.race([again, Promise.resolve('not yet')]);
    await pass(1);
    expect([early, await again]).toEqual(['not yet', ['orders']]);
  });
});
