import type { Patience } from '@reseller/database';
import type { Owner } from '../owner';
import type { CheckoutRepository } from './checkout.repository';
import { assertCommitted } from './domain/checkout-state';

/** The order stands: its cart, stock, discount and lock are used up. Safe to repeat. */
export async function commitCheckout(
  { checkouts }: { checkouts: CheckoutRepository },
  owner: Owner,
  orderKey: string,
  patience?: Patience,
): Promise<void> {
  if (await checkouts.commit(owner, orderKey, patience)) return;
  assertCommitted(await checkouts.find(orderKey), owner);
}
