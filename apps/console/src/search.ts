import type { paths } from './generated/operators-api';

// What the address bar holds of each page. What does not fit is left out, as when somebody edits an address by hand.

/** Which of the two worlds is looked at; every page keeps it. */
export type EnvironmentName = 'sandbox' | 'live';

/** What every page's address has. */
export interface World {
  readonly environment: EnvironmentName;
}

type Raw = Readonly<Record<string, unknown>>;
type OrdersQuery = NonNullable<paths['/ops/v1/orders']['get']['parameters']['query']>;

/** Live, unless the address says sandbox. */
export const readWorld = ({ environment }: Raw): World => ({
  environment: environment === 'sandbox' ? 'sandbox' : 'live',
});

/** The spans of time that the overview offers, in hours. */
export const RANGES = [1, 24, 168, 720] as const;

/** What the overview shows. */
interface OverviewSearch {
  readonly hours: number;
  readonly split: 'status' | 'product';
}

/** A day, by status, unless the address says otherwise. */
export const readOverview = ({ hours, split }: Raw): OverviewSearch => ({
  hours: RANGES.find((range) => range === Number(hours)) ?? 24,
  split: split === 'product' ? 'product' : 'status',
});

/** A text of the address; numbers come as numbers. */
const text = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') && value !== ''
    ? String(value)
    : undefined;

/** Pages count from 1. */
const pageNumber = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) > 1 ? Number(value) : undefined;

/** The filters that the list of orders has, by their names in the API. */
export const ORDER_FILTERS = [
  'status',
  'productType',
  'partnerId',
  'externalReference',
  'orderGlobalId',
  'phoneNumber',
  'fromDate',
  'toDate',
  'parked',
] as const;

/** One of the filters of the list of orders. */
export type OrderFilter = (typeof ORDER_FILTERS)[number];

/** The filters of the list of orders, how it is sorted, and its page. */
export type OrderSearch = { readonly [F in OrderFilter]?: OrdersQuery[F] } & {
  readonly sort?: 'oldest' | undefined;
  readonly page?: number | undefined;
};

/** The statuses of an order in the order that filters offer them. */
export const ORDER_STATUSES = [
  'Pending',
  'Processing',
  'Completed',
  'Failed',
  'InterventionRequired',
  'Cancelled',
  'Reversed',
  'PartiallyDelivered',
  'PartiallyReturned',
  'Returned',
] as const satisfies readonly NonNullable<OrdersQuery['status']>[];

/** The known filters of an address. */
export function readOrderFilters(raw: Raw): OrderSearch {
  const filters = ORDER_FILTERS.map((name) => [name, text(raw[name])] as const);
  const known = Object.fromEntries(filters.filter(([, value]) => value));
  return { ...known, sort: raw['sort'] === 'oldest' ? 'oldest' : undefined, page: pageNumber(raw['page']) };
}

/** Filters of an address by their names, and its page. */
type FilterSearch<N extends string> = { readonly [F in N]?: string | undefined } & {
  readonly page?: number | undefined;
};

/** Reads the filters that a page has. */
export const readFilters =
  <N extends string>(...names: readonly N[]) =>
  (raw: Raw): FilterSearch<N> => {
    const filters = names.map((name) => [name, text(raw[name])] as const);
    const known = Object.fromEntries(filters.filter(([, value]) => value)) as { [F in N]?: string };
    return { ...known, page: pageNumber(raw['page']) };
  };
