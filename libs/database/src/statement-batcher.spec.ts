import { describe, expect, it } from '@jest/globals';
import { StatementBatcher } from './statement-batcher';

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

const options = { concurrency: 1, maxBatch: 3, shouldTrySingly: () => true };

describe('a batcher of statements', () => {
  it('when items wait while a statement is in flight, then they go out together and each gets its own result', async () => {
    const { calls, run } = controlledRun();
    const batcher = new StatementBatcher({ ...options, run });
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

  it('when one item spoils its batch, then only that one fails', async () => {
    const run = async (items: number[]): Promise<number[]> => {
      if (items.includes(2)) throw new Error('no twos');
      return items;
    };
    const batcher = new StatementBatcher({ ...options, run });
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('when a failure is not the items’ own, then nothing is tried again', async () => {
    const { calls, run } = controlledRun();
    const batcher = new StatementBatcher({ ...options, run, shouldTrySingly: () => false });
    const waiting = Promise.allSettled([1, 2].map((item) => batcher.submit(item)));
    await turn();
    calls[0]?.end(new Error('the database is away'));
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toHaveLength(1);
  });

  it('when fewer results than items come back, then all of them fail instead of being mixed up', async () => {
    const batcher = new StatementBatcher({ ...options, shouldTrySingly: () => false, run: async () => [1] });
    const results = await Promise.allSettled([1, 2].map((item) => batcher.submit(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
