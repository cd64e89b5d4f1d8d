import type { Queryable } from '@reseller/database';
import { notifyBackInStock } from '../back-in-stock/notify-back-in-stock';
import { addToStock, lockStock, type StockLevel } from './stock.repository';

/**
 * Adds to the stock of variants within the caller's transaction, and notifies the registrations of those that are back in
 * stock. Whatever makes stock rise goes through here, so that no rise goes unnoticed; selling and reserving only lower it.
 */
export async function changeStock(tx: Queryable, changes: readonly StockLevel[]): Promise<void> {
  if (changes.length === 0) return;
  await lockStock(
    tx,
    changes.map(({ variantId }) => variantId),
  );
  await notifyBackInStock(tx, await addToStock(tx, changes));
}
