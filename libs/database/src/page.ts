import type { PageInfo, PageRequest } from '@reseller/contracts';

const DEFAULT_PAGE_SIZE = 20;
const MAXIMUM_PAGE_SIZE = 100;

/** What a statement reads of a list: its LIMIT and OFFSET. */
export interface PageBounds {
  readonly limit: number;
  readonly offset: number;
}

/** A page's bounds; without a page the first 20, and sizes end at 100. */
export function pageBounds(page: PageRequest | undefined): PageBounds {
  const limit = Math.min(Math.max(page?.pageSize || DEFAULT_PAGE_SIZE, 1), MAXIMUM_PAGE_SIZE);
  return { limit, offset: (Math.max(page?.page || 1, 1) - 1) * limit };
}

/** The bounds that a caller gave, none below 0 and the limit at most 100; a limit of 0 asks only how many there are. */
export function clampBounds({ limit, offset }: PageBounds): PageBounds {
  return { limit: Math.min(Math.max(0, limit), MAXIMUM_PAGE_SIZE), offset: Math.max(0, offset) };
}

/** Where the page stands in a list of `totalCount`; an empty list has no pages. */
export function toPageInfo(page: PageRequest | undefined, totalCount: number): PageInfo {
  const { limit, offset } = pageBounds(page);
  return { page: offset / limit + 1, pageSize: limit, totalCount, totalPages: Math.ceil(totalCount / limit) };
}
