import { AppError } from '@reseller/errors';
import type { Owner } from '../owner';
import type { CheckoutRepository } from './checkout.repository';
import { stateOf } from './domain/checkout-state';

/** Undoes a checkout, or uses up the key of one that has not begun. Safe to repeat. */
export async function cancelCheckout(
  { checkouts }: { checkouts: CheckoutRepository },
  owner: Owner,
  orderKey: string,
): Promise<void> {
  const found = await checkouts.cancel(owner, orderKey);
  if (stateOf(found, owner) === 'Committed') throw new AppError('CONFLICT_ORDER_STATE');
}
