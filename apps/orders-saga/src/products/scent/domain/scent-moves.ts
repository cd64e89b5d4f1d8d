import type { Moves } from '../../../order/domain/moves';
import type { OrderStatus } from '../../../order/domain/order';

/** The moves of scent orders (spec §7.3). */
export const SCENT_MOVES = {
  Pending: ['Processing', 'InterventionRequired'],
  InterventionRequired: ['Processing', 'Failed', 'Cancelled'],
  Processing: ['PartiallyDelivered', 'Completed', 'Cancelled'],
  PartiallyDelivered: ['Completed'],
  Completed: ['PartiallyReturned', 'Returned'],
  PartiallyReturned: ['Returned'],
} as const satisfies Moves;

/** The statuses in which it is open whether the order will be: its checkout has not ended, or it needs an operator. */
export const SCENT_UNDERWAY = ['Pending', 'InterventionRequired'] as const satisfies readonly OrderStatus[];

/** The statuses of an order that was not paid, so that its groups cannot be moved. */
export const UNPAID_STATUSES = [
  'Pending',
  'InterventionRequired',
  'Failed',
] as const satisfies readonly OrderStatus[];

/** Whether an order of this status was paid, so that its groups can be moved. */
export function isPaidStatus(status: OrderStatus): boolean {
  return !(UNPAID_STATUSES as readonly OrderStatus[]).includes(status);
}
