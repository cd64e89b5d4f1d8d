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

/**
 * A page when awaited, every item of every page when iterated. While items come in at the top of a list, its pages move
 * down: an item that was on the page before, by its `key`, is not given again.
 */
export function pagesOf(
  read: (input: Input) => Promise<unknown>,
  input: Input,
  key: string | undefined,
): Promise<unknown> & AsyncIterable<unknown> {
  const first = read(input);
  async function* items() {
    let before = new Set<unknown>();
    for (let result = await first; ;) {
      const { items, pagination } = pageOf(result);
      for (const item of items) if (!key || !before.has(item[key])) yield item;
      if (items.length === 0 || pagination.page >= pagination.totalPages) return;
      before = new Set(key ? items.map((item) => item[key]) : []);
      result = await read({ ...input, page: pagination.page + 1 });
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
