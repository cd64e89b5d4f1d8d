import { withTransaction } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { Owner } from '../owner';
import { changeStock } from '../stock/change-stock';
import { countRestocked, findReservedUnits, insertReturn, type StockLine } from '../stock/stock.repository';
import type { EndCheckoutDeps } from './cancel-checkout';
import { assertCommitted } from './domain/checkout-state';

/**
 * Puts units of a committed checkout back on hand, once for each key. CONFLICT_ORDER_STATE when it is not committed, or fewer
 * of its units are still out.
 */
export async function restockUnits(
  { pool, checkouts }: EndCheckoutDeps,
  owner: Owner,
  { orderKey, restockKey, lines }: { orderKey: string; restockKey: string; lines: readonly StockLine[] },
): Promise<void> {
  await withTransaction(pool, async (tx) => {
    assertCommitted(await checkouts.lock(tx, orderKey), owner);
    if (!(await insertReturn(tx, orderKey, restockKey))) return;
    const bought = new Map((await findReservedUnits(tx, orderKey)).map((units) => [units.variantId, units]));
    for (const { variantId, quantity } of lines) {
      const units = bought.get(variantId);
      if (!units || units.quantity - units.restocked < quantity) throw new AppError('CONFLICT_ORDER_STATE');
    }
    await countRestocked(tx, orderKey, lines);
    await changeStock(
      tx,
      lines.map(({ variantId, quantity }) => ({ variantId, onHand: quantity, reserved: 0 })),
    );
  });
}
