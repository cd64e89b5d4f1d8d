import type { PageInfo } from '@reseller/contracts';
import { present } from './values';

/** A page object of the specification. */
export function presentPage<M, T>(messages: M[], info: PageInfo | undefined, presentItem: (message: M) => T) {
  const { page, pageSize, totalCount, totalPages } = present(info, 'page');
  return { items: messages.map(presentItem), pagination: { page, pageSize, totalCount, totalPages } };
}
