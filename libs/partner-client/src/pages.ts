import type { Input } from './send.ts';

interface Page {
  items: Record<string, unknown>[];
  pagination: { page: number; totalPages: number };
}

function pageOf(result: unknown): Page {
  const { items, pagination } = result as Partial<Page>;
  if (!items || !pagination)
    throw new TypeError('this response is not a page, so there is nothing to iterate over');
  return { items, pagination };
}

/** As many new items may come in between two pages before one that moved down is given twice. */
const MOST_REMEMBERED = 10_000;

/**
 * A page when awaited, every item of every page when iterated. While items come in at the top of a list, its pages move
 * down: an item that was on a page before, by its `key`, is not given again.
 */
export function pagesOf(
  read: (input: Input) => Promise<unknown>,
  input: Input,
  key: string | undefined,
): Promise<unknown> & AsyncIterable<unknown> {
  const first = read(input);
  async function* items() {
    const given = new Set<unknown>();
    const isNew = (item: Record<string, unknown>) => !key || !given.has(item[key]);
    for (let result = await first; ;) {
      const { items, pagination } = pageOf(result);
      for (const item of items.filter(isNew)) {
        yield item;
        if (key) given.add(item[key]);
        const [oldest] = given;
        if (given.size > MOST_REMEMBERED) given.delete(oldest);
      }
      if (items.length === 0 || pagination.page >= pagination.totalPages) return;
      result = await read({ ...input, page: pagination.page + 1 });
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
