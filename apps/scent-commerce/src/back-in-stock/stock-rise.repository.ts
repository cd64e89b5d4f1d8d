import { query, queryWithoutEvents, type PreparedStatement, type Queryable } from '@reseller/database';
import type { Pool } from 'pg';
import type { Owner } from '../owner';
import { ENVIRONMENTS } from '../stock/stock.repository';

// Raw, all of them: a piece is one transaction under the rise's row lock, past the rises that others work on. The rises of a
// variant in an environment come one after the other, so that a registration is notified of the first one after it. A rise of
// before there were environments has none and is for both.
const CLAIM: PreparedStatement = {
  name: 'claim_stock_rise',
  text: `SELECT r.position, r.variant_id AS "variantId", r.environment, v.sku, r.available, r.headers
         FROM stock_rises r JOIN variants v ON v.id = r.variant_id
         WHERE NOT EXISTS (
           SELECT FROM stock_rises o
           WHERE o.variant_id = r.variant_id AND o.position < r.position
             AND coalesce(o.environment, r.environment) IS NOT DISTINCT FROM coalesce(r.environment, o.environment))
         ORDER BY r.turn_at LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED`,
};
const ANY: PreparedStatement = { name: 'any_stock_rise', text: 'SELECT 1 FROM stock_rises LIMIT 1' };
const NOTIFY: PreparedStatement = {
  name: 'notify_registrations',
  text: `WITH notified AS (
           UPDATE back_in_stock_registrations SET status = 'Notified', notified_at = clock_timestamp()
           WHERE id IN (
             SELECT id FROM back_in_stock_registrations
             WHERE variant_id = $1 AND environment = ANY ($4) AND position < $2 AND status = 'Active' ORDER BY position LIMIT $3 FOR NO KEY UPDATE)
           RETURNING *
         )
         SELECT id, partner_id AS "partnerId", environment, customer_ref AS "customerRef" FROM notified ORDER BY position`,
};
// The events of a piece are numbered at once: one by one they would write the sequence's row as often.
const APPEND: PreparedStatement = {
  name: 'append_back_in_stock',
  text: `WITH next AS (
           INSERT INTO outbox_aggregate AS a (aggregate_id, last_seq) VALUES ($3, cardinality($4::bytea[]))
           ON CONFLICT (aggregate_id) DO UPDATE SET last_seq = a.last_seq + excluded.last_seq
           RETURNING last_seq - cardinality($4::bytea[]) AS taken
         )
         INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, headers)
         SELECT uuidv7(), $1, $2, $3, next.taken + e.position, e.payload, $5::jsonb
         FROM next, unnest($4::bytea[]) WITH ORDINALITY AS e (payload, position)`,
};
const TAKE_TURN: PreparedStatement = {
  name: 'take_turn_of_stock_rise',
  text: 'UPDATE stock_rises SET turn_at = clock_timestamp() WHERE position = $1',
};
const DELETE: PreparedStatement = {
  name: 'delete_stock_rise',
  text: 'DELETE FROM stock_rises WHERE position = $1',
};

/** A rise of a variant's stock whose registrations are still to be notified. */
export interface StockRise {
  position: string;
  variantId: string;
  /** Null for both. */
  environment: Owner['environment'] | null;
  sku: string;
  /** What was available then. */
  available: number;
  headers: Record<string, string>;
}

/** A registration whose variant is back in stock. */
export interface NotifiedRegistration extends Owner {
  id: string;
  customerRef: string | null;
}

/** Whether any rise is under way. */
export async function isAnyStockRise(pool: Pool): Promise<boolean> {
  return (await queryWithoutEvents(pool, ANY)).length > 0;
}

/** The rise whose turn it is, locked until the transaction ends; undefined when others work on all there are. */
export async function claimStockRise(tx: Queryable): Promise<StockRise | undefined> {
  return (await query<StockRise>(tx, CLAIM))[0];
}

/** Makes the first so many Active registrations of a rise Notified and returns them, the oldest first. */
export const markNotified = (
  tx: Queryable,
  { variantId, environment, position }: StockRise,
  limit: number,
): Promise<NotifiedRegistration[]> =>
  query(tx, NOTIFY, [variantId, position, limit, environment === null ? ENVIRONMENTS : [environment]]);

/** Appends events about the rise's variant, in their order. */
export async function appendEvents(
  tx: Queryable,
  { variantId, headers }: StockRise,
  { topic, type, payloads }: { topic: string; type: string; payloads: readonly Buffer[] },
): Promise<void> {
  if (payloads.length === 0) return;
  await query(tx, APPEND, [topic, type, variantId, payloads, JSON.stringify(headers)]);
}

/** Ends a rise, or puts it behind the others. */
export async function endPiece(tx: Queryable, { position }: StockRise, isDone: boolean): Promise<void> {
  await query(tx, isDone ? DELETE : TAKE_TURN, [position]);
}
