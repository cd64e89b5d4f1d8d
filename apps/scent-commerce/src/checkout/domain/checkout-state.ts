import { AppError } from '@reseller/errors';
import type { Owner } from '../../owner';

/** How far a checkout is. */
export type CheckoutState = 'Begun' | 'Committed' | 'Cancelled';

/** The state of an order's checkout; CONFLICT_IDEMPOTENCY_KEY_REUSED for another's key, CONFLICT_ORDER_STATE for one that never began. */
export function stateOf(
  checkout: (Owner & { state: CheckoutState }) | undefined,
  owner: Owner,
): CheckoutState {
  if (!checkout) throw new AppError('CONFLICT_ORDER_STATE');
  if (checkout.partnerId !== owner.partnerId || checkout.environment !== owner.environment) {
    throw new AppError('CONFLICT_IDEMPOTENCY_KEY_REUSED');
  }
  return checkout.state;
}

/** Refuses what only a committed checkout allows. */
export function assertCommitted(
  checkout: (Owner & { state: CheckoutState }) | undefined,
  owner: Owner,
): void {
  if (stateOf(checkout, owner) !== 'Committed') throw new AppError('CONFLICT_ORDER_STATE');
}
