import type { Queryable } from '@reseller/database';
import { addToStock, lockStock, type StockLevel } from './stock.repository';

/** Adds to the stock of variants within the caller's transaction, locked in the order of their ids as whoever changes several does. */
export async function changeStock(tx: Queryable, changes: readonly StockLevel[]): Promise<void> {
  if (changes.length === 0) return;
  await lockStock(
    tx,
    changes.map(({ variantId }) => variantId),
  );
  await addToStock(tx, changes);
}
