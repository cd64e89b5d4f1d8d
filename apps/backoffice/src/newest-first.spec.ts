import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeNewestFirst, type ReadStretch } from './newest-first';

const newestFirst = (numbers: readonly number[]) => [...numbers].sort((one, other) => other - one);

const listOf =
  (items: readonly number[], reads: number[] = []): ReadStretch<number> =>
  ({ offset, limit }) => {
    reads.push(limit);
    return Promise.resolve({ items: items.slice(offset, offset + limit), totalCount: items.length });
  };

describe('a page of two lists', () => {
  it('when it is any page of any two lists, then it is that of the whole, however deep', async () => {
    const lists = fc.uniqueArray(fc.integer(), { maxLength: 60 });
    const page = { offset: fc.nat(70), limit: fc.integer({ min: 1, max: 10 }) };
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(60), fc.record(page), async (all, of, { offset, limit }) => {
        const [one, other] = [newestFirst(all.slice(0, of)), newestFirst(all.slice(of))];
        const merged = await mergeNewestFirst(listOf(one), listOf(other), (a, b) => a > b, { offset, limit });
        expect(merged).toEqual({
          items: newestFirst(all).slice(offset, offset + limit),
          totalCount: all.length,
        });
      }),
      // Nothing of a list is taken for gone because it is falsy.
      { examples: [[[0, -1], 1, { offset: 1, limit: 1 }]] },
    );
  });

  it('when it is deep, then no more than a page of each is read at once, and few times', async () => {
    const reads: number[] = [];
    const evens = newestFirst(Array.from({ length: 1000 }, (_, n) => 2 * n));
    const odds = evens.map((even) => even + 1);
    const page = { offset: 1500, limit: 20 };
    await mergeNewestFirst(listOf(evens, reads), listOf(odds, reads), (a, b) => a > b, page);
    expect(Math.max(...reads)).toBe(20);
    expect(reads.length).toBeLessThan(30);
  });
});
