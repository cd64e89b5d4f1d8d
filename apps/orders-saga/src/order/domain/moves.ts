import { AppError } from '@reseller/errors';
import type { OrderStatus } from './order';

/** Where the orders of a product can go from each status; what is not here is refused, by the database too. */
export type Moves = Readonly<Partial<Record<OrderStatus, readonly OrderStatus[]>>>;

/** Returns `to` when the moves have it, or when nothing moves; otherwise throws CONFLICT_ORDER_STATE. */
export function checkMove(moves: Moves, from: OrderStatus, to: OrderStatus): OrderStatus {
  if (from === to || moves[from]?.includes(to)) return to;
  throw new AppError('CONFLICT_ORDER_STATE', {
    message: `An order that is ${from} cannot become ${to}.`,
    status: from,
  });
}
