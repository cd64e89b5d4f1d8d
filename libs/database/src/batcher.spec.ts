import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher';

/** A statement that ends when told, and remembers what it was given. */
function controlledRun() {
  const calls: { items: number[]; end: (fail?: Error) => void }[] = [];
  const run = (items: number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      calls.push({ items, end: (fail) => (fail ? reject(fail) : resolve(items.map((item) => item * 10))) });
    });
  return { calls, run };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

const options = { concurrency: 1, maxBatch: 3, shouldBisect: () => true };

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

  it('when one item spoils its batch, then only that one fails', async () => {
    const run = async (items: number[]): Promise<number[]> => {
      if (items.includes(2)) throw new Error('no twos');
      return items;
    };
    const batcher = new Batcher({ ...options, run });
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('when a failure is not the items’ own, then nothing is tried again', async () => {
    const { calls, run } = controlledRun();
    const batcher = new Batcher({ ...options, run, shouldBisect: () => false });
    const waiting = Promise.allSettled([1, 2].map((item) => batcher.submit(item)));
    await turn();
    calls[0]?.end(new Error('the database is away'));
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toHaveLength(1);
  });

  it('when fewer results than items come back, then all of them fail instead of being mixed up', async () => {
    const batcher = new Batcher({ ...options, shouldBisect: () => false, run: async () => [1] });
    const results = await Promise.allSettled([1, 2].map((item) => batcher.submit(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
