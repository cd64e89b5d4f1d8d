import type { PageInfo } from '@reseller/contracts';
import { present } from './values';

/** The pagination of a page of a list that has so many in all. */
export const paginationOf = ({ page, pageSize }: { page: number; pageSize: number }, totalCount: number) => ({
  ...{ page, pageSize, totalCount },
  totalPages: Math.ceil(totalCount / pageSize),
});

/** A page object of the specification. */
export function presentPage<M, T>(messages: M[], info: PageInfo | undefined, presentItem: (message: M) => T) {
  const { page, pageSize, totalCount, totalPages } = present(info, 'page');
  return { items: messages.map(presentItem), pagination: { page, pageSize, totalCount, totalPages } };
}
