import type { PageInfo, PageRequest } from '@reseller/contracts';

const defaultPageSize = 20;
const maximumPageSize = 100;

/** A page's LIMIT and OFFSET; without a page the first 20, and sizes end at 100. */
export function pageBounds(page: PageRequest | undefined): { limit: number; offset: number } {
  const limit = Math.min(Math.max(page?.pageSize || defaultPageSize, 1), maximumPageSize);
  return { limit, offset: (Math.max(page?.page || 1, 1) - 1) * limit };
}

/** Where the page stands in a list of `totalCount`; an empty list has no pages. */
export function toPageInfo(page: PageRequest | undefined, totalCount: number): PageInfo {
  const { limit, offset } = pageBounds(page);
  return { page: offset / limit + 1, pageSize: limit, totalCount, totalPages: Math.ceil(totalCount / limit) };
}
