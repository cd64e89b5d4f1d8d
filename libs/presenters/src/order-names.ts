import { OrderStatus } from '@reseller/contracts';

/** The statuses of a top-up or eSIM order (spec §4.4). */
export const SIMPLE_ORDER_STATUSES = [
  'Pending',
  'Processing',
  'Completed',
  'Failed',
  'InterventionRequired',
  'Cancelled',
  'Reversed',
] as const;

/** The statuses of any order; scent orders have three more (spec §7.3). */
export const ORDER_STATUSES = [
  ...SIMPLE_ORDER_STATUSES,
  'PartiallyDelivered',
  'PartiallyReturned',
  'Returned',
] as const;

type PublicStatus = (typeof ORDER_STATUSES)[number];
type SimpleStatus = (typeof SIMPLE_ORDER_STATUSES)[number];

/** The statuses of top-up and eSIM orders under their public names. */
export const SIMPLE_STATUS_NAMES: Partial<Record<OrderStatus, SimpleStatus>> = {
  [OrderStatus.PENDING]: 'Pending',
  [OrderStatus.PROCESSING]: 'Processing',
  [OrderStatus.COMPLETED]: 'Completed',
  [OrderStatus.FAILED]: 'Failed',
  [OrderStatus.INTERVENTION_REQUIRED]: 'InterventionRequired',
  [OrderStatus.CANCELLED]: 'Cancelled',
  [OrderStatus.REVERSED]: 'Reversed',
};

/** Every order status under its public name. */
export const STATUS_NAMES: Partial<Record<OrderStatus, PublicStatus>> = {
  ...SIMPLE_STATUS_NAMES,
  [OrderStatus.PARTIALLY_DELIVERED]: 'PartiallyDelivered',
  [OrderStatus.PARTIALLY_RETURNED]: 'PartiallyReturned',
  [OrderStatus.RETURNED]: 'Returned',
};

/** The enum value of a filter; UNSPECIFIED, which is all, for none. */
export function statusFilter(name: PublicStatus | undefined): OrderStatus {
  return findByName(STATUS_NAMES, name) ?? OrderStatus.UNSPECIFIED;
}

/** The key under which a table holds a name. */
export function findByName<K extends string, V>(
  table: Partial<Record<K, V>>,
  name: V | undefined,
): K | undefined {
  const keys = Object.keys(table) as K[];
  return name === undefined ? undefined : keys.find((key) => table[key] === name);
}
