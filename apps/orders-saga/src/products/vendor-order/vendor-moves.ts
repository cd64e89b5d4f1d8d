import type { Moves } from '../../order/domain/moves';
import type { OrderStatus } from '../../order/domain/order';

/** The moves of orders that a vendor delivers (spec §4.4). */
export const VENDOR_MOVES = {
  Pending: ['Processing', 'Cancelled'],
  Processing: ['Completed', 'Failed', 'InterventionRequired'],
  InterventionRequired: ['Completed', 'Failed'],
  Completed: ['Reversed'],
} as const satisfies Moves;

/** The statuses in which it is open what becomes of such an order. */
export const VENDOR_UNDERWAY = [
  'Pending',
  'Processing',
  'InterventionRequired',
] as const satisfies readonly OrderStatus[];
