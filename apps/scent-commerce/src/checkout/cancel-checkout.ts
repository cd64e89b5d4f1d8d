import { withTransaction } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { Pool } from 'pg';
import { freeRedemptionSlot } from '../discount/redemption.repository';
import type { Owner } from '../owner';
import { changeStock } from '../stock/change-stock';
import { findReservedUnits } from '../stock/stock.repository';
import type { CheckoutRepository } from './checkout.repository';
import { stateOf } from './domain/checkout-state';

/** What checkouts are ended with. */
export interface EndCheckoutDeps {
  pool: Pool;
  checkouts: CheckoutRepository;
}

/** Undoes a checkout, or uses up the key of one that has not begun. Safe to repeat. */
export async function cancelCheckout(
  { pool, checkouts }: EndCheckoutDeps,
  owner: Owner,
  orderKey: string,
): Promise<void> {
  if (await checkouts.insertCancelled(owner, orderKey)) return;
  await withTransaction(pool, async (tx) => {
    const state = stateOf(await checkouts.lock(tx, orderKey), owner);
    if (state === 'Cancelled') return;
    if (state === 'Committed') throw new AppError('CONFLICT_ORDER_STATE');
    await freeRedemptionSlot(tx, orderKey);
    await checkouts.cancel(tx, orderKey);
    const units = await findReservedUnits(tx, orderKey);
    await changeStock(
      tx,
      units.map(({ variantId, quantity }) => ({ variantId, onHand: 0, reserved: -quantity })),
    );
  });
}
