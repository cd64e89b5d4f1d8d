import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher';

/** A statement that ends when the test says so, and remembers what it was given. */
function controlledRun() {
  const calls: { items: number[]; end: (fail?: Error) => void }[] = [];
  const run = (items: number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      calls.push({ items, end: (fail) => (fail ? reject(fail) : resolve(items.map((item) => item * 10))) });
    });
  return { calls, run };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const options = { concurrency: 1, maxBatch: 3 };

describe('a batcher of statements', () => {
  it('when items wait while a statement is in flight, then they go out together and each gets its own result', async () => {
    const { calls, run } = controlledRun();
    const batcher = new Batcher({ ...options, run });
    const first = batcher.submit(1);
    await turn();
    const others = [2, 3, 4, 5].map((item) => batcher.submit(item));
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([[1]]);
    calls[0]?.end();
    expect(await first).toBe(10);
    await turn();
    calls[1]?.end();
    await turn();
    calls[2]?.end();
    expect(await Promise.all(others)).toEqual([20, 30, 40, 50]);
    expect(calls.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('when items have groups, then one batch of a group is in flight at a time and groups go side by side', async () => {
    const { calls, run } = controlledRun();
    const groupOf = (item: number): string => String(item % 2);
    const batcher = new Batcher({ ...options, concurrency: 2, run, groupOf });
    const all = [1, 2, 3, 5, 4].map((item) => batcher.submit(item));
    await turn();
    const late = batcher.submit(7);
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([
      [1, 3, 5],
      [2, 4],
    ]);
    calls[0]?.end();
    await turn();
    expect(calls[2]?.items).toEqual([7]);
    for (const { end } of calls.slice(1)) end();
    expect(await Promise.all([...all, late])).toEqual([10, 20, 30, 50, 40, 70]);
  });

  it('when groups may share a batch, then what waits of them goes out together, and none of them goes twice at once', async () => {
    const { calls, run } = controlledRun();
    const groupOf = (item: number): string => String(item % 2);
    const batcher = new Batcher({ ...options, maxBatch: 4, concurrency: 2, groupsAtOnce: 8, run, groupOf });
    const all = [1, 2, 3, 5, 4, 6].map((item) => batcher.submit(item));
    await turn();
    // The even ones' other wait for their first, although a second batch could go.
    expect(calls.map(({ items }) => items)).toEqual([[1, 3, 5, 2]]);
    calls[0]?.end();
    await turn();
    expect(calls[1]?.items).toEqual([4, 6]);
    calls[1]?.end();
    expect(await Promise.all(all)).toEqual([10, 20, 30, 50, 40, 60]);
  });

  it('when the result of an item is one to come, then its caller waits for that alone', async () => {
    const run = async (items: number[]) =>
      items.map((item) => (item === 2 ? Promise.reject(new Error('late')) : item));
    const batcher = new Batcher<number, number>({ ...options, run });
    const outcomes = await Promise.allSettled([1, 2].map((item) => batcher.submit(item)));
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: new Error('late') },
    ]);
  });

  it('when one item spoils its batch, then only that one fails', async () => {
    const run = async (items: number[]): Promise<number[]> => {
      if (items.includes(2)) throw new Error('no twos');
      return items;
    };
    const batcher = new Batcher({ ...options, run });
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('when the database is away, then nothing is tried again', async () => {
    const { calls, run } = controlledRun();
    const batcher = new Batcher({ ...options, run });
    const waiting = Promise.allSettled([1, 2].map((item) => batcher.submit(item)));
    await turn();
    calls[0]?.end(Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' }));
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toHaveLength(1);
  });

  it('when fewer results than items come back, then all of them fail instead of being mixed up', async () => {
    const batcher = new Batcher({ ...options, run: async () => [1] });
    const results = await Promise.allSettled([1, 2].map((item) => batcher.submit(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('when one item of many spoils its batch, then halves find it in a few statements and all others are done (spec §14.2)', async () => {
    let statements = 0;
    const run = async (items: number[]): Promise<number[]> => {
      statements += 1;
      if (items.includes(37)) throw new Error('no 37');
      return items;
    };
    const batcher = new Batcher({ ...options, run, maxBatch: 64 });
    const items = Array.from({ length: 64 }, (_, item) => item);
    const results = await Promise.allSettled(items.map((item) => batcher.submit(item)));
    expect(items.filter((item) => results[item]?.status === 'rejected')).toEqual([37]);
    expect(statements).toBeLessThanOrEqual(1 + 2 * 6);
  });

  it('when nobody waits for an item any more at its turn, then it is refused and never sent (spec §14.2)', async () => {
    const { calls, run } = controlledRun();
    const batcher = new Batcher({ ...options, run });
    const leaver = new AbortController();
    const first = batcher.submit(1);
    await turn();
    const late = batcher.submit(2, { deadlineAt: Date.now() - 1 });
    const left = batcher.submit(3, { signal: leaver.signal });
    const patient = batcher.submit(4, { deadlineAt: Date.now() + 60_000 });
    leaver.abort();
    calls[0]?.end();
    await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(left).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await turn();
    calls[1]?.end();
    expect(await Promise.all([first, patient])).toEqual([10, 40]);
    expect(calls.map(({ items }) => items)).toEqual([[1], [4]]);
  });

  it('when as many wait as may, then one more is refused at once, and the others are done (spec §14.2)', async () => {
    const { calls, run } = controlledRun();
    const batcher = new Batcher({ ...options, run, maxWaiting: 2 });
    const first = batcher.submit(1);
    await turn();
    const waiting = [2, 3].map((item) => batcher.submit(item));
    await expect(batcher.submit(4)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    calls[0]?.end();
    await turn();
    calls[1]?.end();
    expect(await Promise.all([first, ...waiting])).toEqual([10, 20, 30]);
  });

  it('when reads of one key wait at the same time, then they share a place, and one that came later has its own', async () => {
    const { calls, run } = controlledRun();
    const batcher = new Batcher({ ...options, run, keyOf: String });
    const gone = new AbortController();
    const waiting = [batcher.submit(7, { signal: gone.signal }), batcher.submit(7), batcher.submit(8)];
    gone.abort();
    await turn();
    const later = batcher.submit(7);
    calls[0]?.end();
    await turn();
    calls[1]?.end();
    expect(await Promise.all([...waiting, later])).toEqual([70, 70, 80, 70]);
    expect(calls.map(({ items }) => items)).toEqual([[7, 8], [7]]);
  });
});
