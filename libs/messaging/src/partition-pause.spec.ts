import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { createBusMetrics } from './messaging-metrics';
import { PartitionPause, restAfter } from './partition-pause';
import { trySuspect } from './suspects';

describe('the pause of a partition', () => {
  it('when it fails again and again, then rests double up to a minute, and the metric says since when until it goes on', async () => {
    const { pausedSince } = createBusMetrics(new Registry());
    const labels = { group: 'g', topic: 't', partition: 3 };
    const pause = new PartitionPause(pausedSince, labels, undefined);
    const before = Date.now() / 1_000;
    const rests = Array.from({ length: 12 }, () => pause.extend());
    expect(rests).toEqual([...Array.from({ length: 10 }, (_, n) => 100 * 2 ** n), 60_000, 60_000]);
    const [shown, ...others] = (await pausedSince.get()).values;
    expect([shown?.labels, others]).toEqual([labels, []]);
    expect(shown?.value).toBeGreaterThanOrEqual(before);
    expect(pause.end()).toBe(true);
    expect((await pausedSince.get()).values).toEqual([]);
    expect(restAfter(10_000)).toBe(60_000);
  });
});

describe('suspects', () => {
  const signal = new AbortController().signal;

  it('when several are tried at once, then each is counted and handled alone', async () => {
    const order: string[] = [];
    const trial = (name: string) => ({
      restMs: 0,
      signal,
      begin: async () => Boolean(order.push(`${name} counted`)),
      acquit: () => Promise.resolve(),
      run: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return Boolean(order.push(`${name} handled`));
      },
    });
    await Promise.all(['a', 'b'].map((name) => trySuspect(trial(name))));
    expect(order).toEqual(['a counted', 'a handled', 'b counted', 'b handled']);
  });

  it('when the process stops during the rest, then no attempt is counted', async () => {
    const stopping = new AbortController();
    let counted = 0;
    const trying = trySuspect({
      restMs: 60_000,
      signal: stopping.signal,
      begin: async () => Boolean((counted += 1)),
      acquit: () => Promise.resolve(),
      run: () => Promise.resolve(true),
    });
    stopping.abort();
    expect(await trying).toBe(false);
    expect(counted).toBe(0);
  });
});
