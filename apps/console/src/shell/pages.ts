import type { Words } from '../words/en';

/** Every page of the navigation, in its order (spec §18.9). */
export const PAGES = [
  { name: 'overview', to: '/overview' },
  { name: 'orders', to: '/orders' },
  { name: 'partners', to: '/partners' },
  { name: 'fulfillment', to: '/fulfillment' },
  { name: 'returns', to: '/returns' },
  { name: 'deliveries', to: '/webhook-deliveries' },
  { name: 'deadLetters', to: '/dead-letters' },
  { name: 'catalog', to: '/catalog' },
  { name: 'rates', to: '/rates' },
  { name: 'statements', to: '/statements' },
  { name: 'reconciliation', to: '/reconciliation' },
  { name: 'approvals', to: '/approvals' },
  { name: 'audit', to: '/audit' },
  { name: 'operatorTokens', to: '/operator-tokens' },
] as const satisfies readonly { readonly name: keyof Words['pages']; readonly to: string }[];

/** The address of one of them. */
export type PageAddress = (typeof PAGES)[number]['to'];
