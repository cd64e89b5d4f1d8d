import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import { AppError } from '@reseller/errors';

const RESERVE: PreparedStatement = {
  name: 'stock_reserve',
  text: `SELECT outcome, variant_id AS "variantId", available
         FROM stock_reserve($1, $2::uuid[], $3::int[], $4::float8 * interval '1 millisecond')`,
};
const PIN: PreparedStatement = { name: 'stock_pin', text: 'SELECT stock_pin($1) AS outcome' };
const RELEASE: PreparedStatement = { name: 'stock_release', text: 'SELECT stock_release($1) AS outcome' };
const TAKE: PreparedStatement = { name: 'stock_take', text: 'SELECT stock_take($1) AS outcome' };
const RESTOCK: PreparedStatement = {
  name: 'stock_restock',
  text: 'SELECT stock_restock($1, $2, $3::uuid[], $4::int[]) AS outcome',
};
const RELEASE_LAPSED: PreparedStatement = {
  name: 'stock_release_lapsed',
  text: 'SELECT stock_release_lapsed($1) AS released',
};

/** Units of one variant; each variant at most once in a list. */
export interface StockLine {
  variantId: string;
  quantity: number;
}

/** A line that cannot be had, and what of it can; 0 for an inactive or unknown variant. */
export interface StockShortage {
  variantId: string;
  available: number;
}

/** What an order sets aside. */
export interface ReserveRequest {
  /** Names the hold from now on; the order's global id. */
  orderKey: string;
  lines: readonly StockLine[];
  /**
   * Milliseconds until the hold lapses. Left out, only release and take end it: for a caller that has its intent on record
   * and will carry it to an outcome.
   */
  ttlMs?: number | undefined;
}

/**
 * Sets all lines aside within the caller's transaction, or none: answers the lines that are short, none when all are held.
 * Safe to repeat with the same lines. CONFLICT_ORDER_STATE for an order that was released, also before it was reserved, or
 * that holds other lines.
 */
export async function reserveStock(
  tx: Queryable,
  { orderKey, lines, ttlMs }: ReserveRequest,
): Promise<StockShortage[]> {
  const rows = await query<{ outcome: string } & StockShortage>(tx, RESERVE, [
    orderKey,
    lines.map(({ variantId }) => variantId),
    lines.map(({ quantity }) => quantity),
    ttlMs ?? null,
  ]);
  const shortages = rows.filter(({ outcome }) => outcome === 'Short');
  if (shortages.length === 0 && rows[0]?.outcome !== 'Reserved') throw new AppError('CONFLICT_ORDER_STATE');
  return shortages.map(({ variantId, available }) => ({ variantId, available }));
}

/** Makes a hold last until its order's outcome. Safe to repeat; CONFLICT_ORDER_STATE when it has ended or never was. */
export const pinStock = (tx: Queryable, orderKey: string): Promise<void> => settle(tx, PIN, [orderKey]);

/**
 * Frees an order's units. Safe to repeat, and when nothing was reserved: a reserve under this key is refused from then on.
 * CONFLICT_ORDER_STATE when they were taken.
 */
export const releaseStock = (tx: Queryable, orderKey: string): Promise<void> =>
  settle(tx, RELEASE, [orderKey]);

/**
 * Takes an order's units out of the stock and counts them towards best sellers. Safe to repeat. CONFLICT_ORDER_STATE when
 * they were released, lapsed or never reserved.
 */
export const takeStock = (tx: Queryable, orderKey: string): Promise<void> => settle(tx, TAKE, [orderKey]);

/**
 * Puts taken units back on hand, once for each returnKey (the cancelled group's id). Safe to repeat. CONFLICT_ORDER_STATE
 * when the order was not taken, or fewer of its units are still out.
 */
export function restockUnits(
  tx: Queryable,
  { orderKey, returnKey, lines }: { orderKey: string; returnKey: string; lines: readonly StockLine[] },
): Promise<void> {
  const variantIds = lines.map(({ variantId }) => variantId);
  return settle(tx, RESTOCK, [orderKey, returnKey, variantIds, lines.map(({ quantity }) => quantity)]);
}

/** Frees what has lapsed, at most so many holds, and answers how many it freed. */
export async function releaseLapsedStock(db: Queryable, limit: number): Promise<number> {
  const [row] = await query<{ released: number }>(db, RELEASE_LAPSED, [limit]);
  return row?.released ?? 0;
}

async function settle(tx: Queryable, statement: PreparedStatement, values: unknown[]): Promise<void> {
  const [row] = await query<{ outcome: 'Done' | 'State' }>(tx, statement, values);
  if (row?.outcome !== 'Done') throw new AppError('CONFLICT_ORDER_STATE');
}
