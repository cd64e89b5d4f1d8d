import { describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { LockBatcher, type LockWait } from './index';

const lockTimeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

/** A batcher of numbers, of which negative ones need a row that is held until `release`; each statement is on record. */
function batcherOfNumbers() {
  const sent: [LockWait, number[]][] = [];
  const held: (() => void)[] = [];
  const batcher = new LockBatcher<number, string>({
    concurrency: 1,
    maxBatch: 8,
    run: async (items, wait) => {
      sent.push([wait, items]);
      if (items.every((item) => item > 0)) return items.map(String);
      if (wait === 'briefly') throw lockTimeout;
      await new Promise<void>((resolve) => held.push(resolve));
      return items.map(String);
    },
  });
  const release = (): void => held.splice(0).forEach((one) => one());
  return { batcher, sent, release };
}

describe('statements that lock rows', () => {
  it('when somebody holds a row of one item, then those of its batch and those after it go on', async () => {
    const { batcher, sent, release } = batcherOfNumbers();
    const [waits, beside] = [batcher.submit(-1), batcher.submit(1)];
    expect(await beside).toBe('1');
    expect(await batcher.submit(2)).toBe('2');
    expect(sent).toEqual([
      ['briefly', [-1, 1]],
      ['patiently', [-1]],
      ['patiently', [1]],
      ['briefly', [2]],
    ]);
    release();
    expect(await waits).toBe('-1');
  });

  it('when its caller gives up while an item waits for its turn alone, then it is never sent', async () => {
    const { batcher, sent, release } = batcherOfNumbers();
    const waiting = [-1, -2, -3, -4].map((item) => batcher.submit(item));
    await eventually(() => expect(sent).toHaveLength(5));
    const caller = new AbortController();
    const refused = expect(batcher.submit(-5, { signal: caller.signal })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await eventually(() => expect(sent.at(-1)).toEqual(['briefly', [-5]]));
    caller.abort();
    release();
    await Promise.all([...waiting, refused]);
    expect(sent.flatMap(([wait, items]) => (wait === 'patiently' ? items : []))).toEqual([-1, -2, -3, -4]);
  });
});
