import type { Moves } from '../../../order/domain/moves';

/** The moves of scent orders (spec §7.3). */
export const SCENT_MOVES = {
  Pending: ['Processing'],
  Processing: ['PartiallyDelivered', 'Completed', 'Cancelled'],
  PartiallyDelivered: ['Completed'],
  Completed: ['PartiallyReturned', 'Returned'],
  PartiallyReturned: ['Returned'],
} as const satisfies Moves;
