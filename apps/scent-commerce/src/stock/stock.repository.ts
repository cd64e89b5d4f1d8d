import { query, type PreparedStatement, type Queryable } from '@reseller/database';

// Raw, all of them: stock is changed under row locks, in the transaction of what it is changed for.
const LOCK: PreparedStatement = {
  name: 'lock_stock',
  text: `SELECT variant_id AS "variantId", on_hand AS "onHand", reserved FROM variant_stocks
         WHERE variant_id = ANY ($1::uuid[]) ORDER BY variant_id FOR NO KEY UPDATE`,
};
const CHANGE: PreparedStatement = {
  name: 'change_stock',
  text: `UPDATE variant_stocks t SET on_hand = t.on_hand + c.on_hand, reserved = t.reserved + c.reserved,
           restocked_at = CASE WHEN t.on_hand = t.reserved AND c.on_hand > c.reserved THEN clock_timestamp() ELSE t.restocked_at END
         FROM unnest($1::uuid[], $2::int[], $3::int[]) AS c (variant_id, on_hand, reserved)
         WHERE t.variant_id = c.variant_id`,
};
const FIND_RESERVED: PreparedStatement = {
  name: 'find_reserved_units',
  text: `SELECT variant_id AS "variantId", quantity, restocked FROM stock_reservations WHERE order_key = $1`,
};
const INSERT_RETURN: PreparedStatement = {
  name: 'insert_stock_return',
  text: 'INSERT INTO stock_returns (order_key, return_key) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
};
const COUNT_RESTOCKED: PreparedStatement = {
  name: 'count_restocked_units',
  text: `UPDATE stock_reservations r SET restocked = r.restocked + w.quantity
         FROM unnest($2::uuid[], $3::int[]) AS w (variant_id, quantity)
         WHERE r.order_key = $1 AND r.variant_id = w.variant_id`,
};

/** Units of one variant; each variant at most once in a list. */
export interface StockLine {
  variantId: string;
  quantity: number;
}

/** What a variant's stock holds. */
export interface StockLevel {
  variantId: string;
  onHand: number;
  reserved: number;
}

/** An order's units of one variant, and how many of them were put back since they were sold. */
export interface ReservedUnits extends StockLine {
  restocked: number;
}

/** Locks the stock of variants, in the order of their ids as whoever changes several does, until the transaction ends. */
export const lockStock = (tx: Queryable, variantIds: readonly string[]): Promise<StockLevel[]> =>
  query(tx, LOCK, [variantIds]);

/** Adds to the stock of variants that the caller has locked. */
export async function addToStock(tx: Queryable, changes: readonly StockLevel[]): Promise<void> {
  await query(tx, CHANGE, [
    changes.map(({ variantId }) => variantId),
    changes.map(({ onHand }) => onHand),
    changes.map(({ reserved }) => reserved),
  ]);
}

/** The units that an order has reserved or bought. */
export const findReservedUnits = (tx: Queryable, orderKey: string): Promise<ReservedUnits[]> =>
  query(tx, FIND_RESERVED, [orderKey]);

/** Notes that an order's units of one return are back; false when they were before. */
export async function insertReturn(tx: Queryable, orderKey: string, returnKey: string): Promise<boolean> {
  return (await query(tx, INSERT_RETURN, [orderKey, returnKey])).length > 0;
}

/** Counts units of an order as put back. */
export async function countRestocked(
  tx: Queryable,
  orderKey: string,
  lines: readonly StockLine[],
): Promise<void> {
  const variantIds = lines.map(({ variantId }) => variantId);
  await query(tx, COUNT_RESTOCKED, [orderKey, variantIds, lines.map(({ quantity }) => quantity)]);
}
