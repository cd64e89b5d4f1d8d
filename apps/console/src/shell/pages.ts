import type { Words } from '../words/en';

/** A page of the navigation: of this console, or still of the old one. */
export type NavigationPage = { readonly name: keyof Words['pages'] } & (
  { readonly to: '/overview' | '/orders' } | { readonly old: string }
);

/** Where the old console has a page. */
export const inOldConsole = (page: string): string => `/console/#/${page}`;

/** Every page of the navigation in its order; the old console has those that this one has not yet. */
export const PAGES: readonly NavigationPage[] = [
  { name: 'overview', to: '/overview' },
  { name: 'orders', to: '/orders' },
  { name: 'partners', old: inOldConsole('partners') },
  { name: 'returns', old: inOldConsole('returns') },
  { name: 'deliveries', old: inOldConsole('webhooks') },
  { name: 'deadLetters', old: inOldConsole('dead-letters') },
  { name: 'approvals', old: inOldConsole('approvals') },
  { name: 'catalog', old: inOldConsole('catalog') },
  { name: 'rates', old: inOldConsole('rates') },
  { name: 'reconciliation', old: inOldConsole('reconciliation') },
  { name: 'audit', old: inOldConsole('audit') },
];
