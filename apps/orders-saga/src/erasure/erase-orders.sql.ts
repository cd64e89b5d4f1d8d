import type { PreparedStatement } from '@reseller/database';
import type { StoredProduct } from '../order/details-table';
import { ERASED_EMAIL, ERASED_PHONE, type RecipientKind } from './domain/erased-request';

// An order takes its time, by this clock, while its transaction has this lock on the table, and keeps it until it can be seen: while
// one has it that began before the erasure was requested, an order of before may come yet. Of another role's session the beginning
// may be hidden; it counts as one of before.
const SEES_ALL = `requested_at < clock_timestamp() AND NOT EXISTS (
      SELECT FROM pg_locks l LEFT JOIN pg_stat_activity s USING (pid)
      WHERE l.locktype = 'relation' AND l.relation = 'orders'::regclass AND l.mode = 'RowExclusiveLock' AND l.granted
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND l.pid <> pg_backend_pid() AND (s.xact_start IS NULL OR s.xact_start <= requested_at))`;

/**
 * One that is due, held until the transaction ends, so that two instances never do the same. What this transaction reads next holds
 * every order submitted before the request.
 */
export const CLAIM: PreparedStatement = {
  name: 'erasure_claim',
  text: `SELECT id, kind, sealed_recipient AS ciphertext, sealed_by AS "keyId", from_id AS "fromId", open_id AS "openId",
      requested_at AS "requestedAt"
    FROM erasures WHERE status = 'Running' AND next_at <= clock_timestamp() AND ${SEES_ALL}
    ORDER BY next_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
};

/** Whether there is anything to claim. */
export const ANY_DUE: PreparedStatement = {
  name: 'erasure_any_due',
  text: `SELECT 1 FROM erasures WHERE status = 'Running' AND next_at <= clock_timestamp() LIMIT 1`,
};

/** The last order of the page that begins at $1. */
export const PAGE_END: PreparedStatement = {
  name: 'erasure_page_end',
  text: `SELECT id FROM (SELECT id FROM orders WHERE id >= $1 ORDER BY id LIMIT $2) AS page ORDER BY id DESC LIMIT 1`,
};

/** An order of whichever product that is for the recipient $3. */
const isFor = (products: readonly StoredProduct[], kind: RecipientKind): string =>
  products
    .flatMap(({ name, table }) => {
      const condition = table.isFor?.[kind];
      return condition === undefined ? [] : [`(orders.product = '${name}' AND ${condition})`];
    })
    .join('\n        OR ');

/**
 * The recipient's orders of a page, and whether they have ended: nobody carries them on, and nothing has to be brought to the
 * recipient. Sagas of those are held, which every change of an order takes first; who carries on another one neither waits for
 * the page nor is waited for.
 */
export const findOrders = (products: readonly StoredProduct[], kind: RecipientKind): PreparedStatement => ({
  name: `erasure_orders_${kind}`,
  text: `WITH found AS MATERIALIZED (
      SELECT id, global_id, request, status
      FROM orders
      WHERE id BETWEEN $1 AND $2 AND submitted_at <= $4 AND (${isFor(products, kind)})
    ), ended AS MATERIALIZED (
      SELECT s.order_id FROM found JOIN sagas s ON s.order_id = found.id
      WHERE s.state = 'Finished'
        AND found.status IN ('Completed', 'Failed', 'Cancelled', 'Reversed', 'PartiallyReturned', 'Returned')
      ORDER BY s.order_id FOR NO KEY UPDATE OF s
    )
    SELECT found.id, found.global_id AS "globalId", found.request, ended.order_id IS NOT NULL AS "isEnded"
    FROM found LEFT JOIN ended ON ended.order_id = found.id ORDER BY found.id`,
});

/**
 * Takes the recipient $3 out of one order, whose request becomes $2, out of what its product keeps beside it and what vendors said of
 * it. Its journal goes as a whole, as it does after its time.
 */
export const eraseOrder = (products: readonly StoredProduct[]): PreparedStatement => ({
  name: 'erasure_order',
  text: `WITH forgotten AS (UPDATE sagas SET journal = '' WHERE order_id = $1),
    ${products.map(({ name, table }) => (table.erase ? `details_of_${name} AS (${table.erase}),\n    ` : '')).join('')}simulated AS (UPDATE vendor_journal SET activation = NULL,
        recipient = CASE WHEN recipient LIKE '%@%' THEN '${ERASED_EMAIL}' ELSE '${ERASED_PHONE}' END
      WHERE idempotency_key = $4)
    UPDATE orders SET request = $2, error_message = regexp_replace(error_message, '***=' || $3, 'erased', 'gi'),
      status_description = regexp_replace(status_description, '***=' || $3, 'erased', 'gi') WHERE id = $1`,
});

/** Where the erasure goes on; $5 orders more are done. */
export const GO_ON: PreparedStatement = {
  name: 'erasure_go_on',
  text: `UPDATE erasures SET from_id = $2, open_id = $3, next_at = clock_timestamp() + make_interval(secs => $4::float8 / 1000),
      orders = orders + $5 WHERE id = $1`,
};

/** Nothing is left: the erasure forgets its recipient. */
export const COMPLETE: PreparedStatement = {
  name: 'erasure_complete',
  text: `UPDATE erasures SET status = 'Completed', completed_at = clock_timestamp(), sealed_recipient = NULL, sealed_by = NULL,
      open_id = NULL WHERE id = $1`,
};
