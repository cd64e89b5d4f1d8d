import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { ReportQueue } from './report-queue';

/** Reports that run until they are ended, in the order in which they began. */
function reports(queue: ReportQueue) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const request = (name: string, signal?: AbortSignal): Promise<string> =>
    queue.run({ partnerId: name.charAt(0), signal }, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  return { begun, request, end: (name: string) => ends.get(name)?.() };
}

describe('reports in turn (spec §14.2)', () => {
  it('when a partner requests many at once, then one of them runs, and another partner’s runs beside it', async () => {
    const { begun, request, end } = reports(new ReportQueue(2));
    const all = ['a1', 'a2', 'a3', 'b1'].map((name) => request(name));
    await turn();
    expect(begun).toEqual(['a1', 'b1']);
    end('a1');
    await all[0];
    await turn();
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    for (const name of ['b1', 'a2']) end(name);
    await Promise.all([all[1], all[3]]);
    await turn();
    end('a3');
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('when there is room for one, then partners take turns, however many each has waiting', async () => {
    const { begun, request, end } = reports(new ReportQueue(1));
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => request(name));
    for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) {
      await turn();
      expect(begun.at(-1)).toBe(name);
      end(name);
      await all[['a1', 'a2', 'a3', 'b1', 'c1'].indexOf(name)];
    }
  });

  it('when a caller is gone or too many wait, then it is refused without being run, and the others go on', async () => {
    const { begun, request, end } = reports(new ReportQueue(1));
    const first = request('a0');
    const gone = new AbortController();
    await turn();
    const waiting = Array.from({ length: 32 }, (_, n) => request(`a${n + 1}`, gone.signal));
    const unavailable = { code: 'SERVICE_UNAVAILABLE' };
    await expect(request('a33')).rejects.toMatchObject(unavailable);
    gone.abort();
    const codes = (await Promise.allSettled(waiting)).map((each) => 'reason' in each && each.reason);
    expect(codes).toEqual(waiting.map(() => expect.objectContaining(unavailable)));
    await expect(request('a34', gone.signal)).rejects.toMatchObject(unavailable);
    const last = request('a35');
    end('a0');
    await first;
    await turn();
    end('a35');
    expect(await last).toBe('a35');
    expect(begun).toEqual(['a0', 'a35']);
  });
});
