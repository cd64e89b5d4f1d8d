import { giveBackRedemption } from '../discount/redemption.repository';
import type { Owner } from '../owner';
import type { BeginCheckoutDeps } from './begin-checkout';
import { assertCommitted } from './domain/checkout-state';

/** Gives the discount's redemption of a cancelled order back. Safe to repeat. */
export async function giveBackOrderRedemption(
  { pool, checkouts }: Pick<BeginCheckoutDeps, 'pool' | 'checkouts'>,
  owner: Owner,
  orderKey: string,
): Promise<void> {
  // Committed is for good, so that it need not be looked at again in the statement that relies on it.
  assertCommitted(await checkouts.find(orderKey), owner);
  await giveBackRedemption(pool, orderKey);
}
