import { MAX_INT32 } from '@reseller/http-edge';
import { paginationOf } from '@reseller/presenters';
import type { ReadStretch } from './newest-first';

/** A page of several lists, one after the other, so that pages need nothing kept. Each is read, if only for how long it is. */
export async function pageInTurn<T>(
  lists: readonly ReadStretch<T>[],
  { page, pageSize }: { page: number; pageSize: number },
) {
  // Past it there is nothing in any list.
  let offset = Math.min((page - 1) * pageSize, MAX_INT32);
  let totalCount = 0;
  const items: T[] = [];
  for (const read of lists) {
    const list = await read({ offset, limit: pageSize - items.length });
    items.push(...list.items);
    totalCount += list.totalCount;
    offset = Math.max(0, offset - list.totalCount);
  }
  return { items, pagination: paginationOf({ page, pageSize }, totalCount) };
}
