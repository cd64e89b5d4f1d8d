import { AppError } from '@reseller/errors';
import type { Owner } from '../owner';
import type { CheckoutRepository } from './checkout.repository';
import { assertCommitted, stateOf } from './domain/checkout-state';

/** The order stands: its cart, stock, discount and lock are used up. Safe to repeat. */
export async function commitCheckout(
  { checkouts }: { checkouts: CheckoutRepository },
  owner: Owner,
  orderKey: string,
): Promise<void> {
  const state = stateOf(await checkouts.find(orderKey), owner);
  if (state === 'Committed') return;
  if (state === 'Cancelled') throw new AppError('CONFLICT_ORDER_STATE');
  if (await checkouts.commit(orderKey)) return;
  // Another call has ended it meanwhile.
  assertCommitted(await checkouts.find(orderKey), owner);
}
