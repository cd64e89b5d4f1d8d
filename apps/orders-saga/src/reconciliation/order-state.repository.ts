import { lastOf, pageOf, query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { OrderState } from './domain/expected-records';

// Raw: order, journal and lines by one snapshot. What a line gives back is rounded as finance rounds it: all units so far, not each by
// itself. Few journals are read: a finished saga has no open step, and each entry makes its journal longer.
const READ: PreparedStatement = {
  name: 'reconcile_order_states',
  text: `SELECT o.id, o.global_id AS "globalId", o.product, o.status, o.amount, octet_length(s.journal) AS "journalLength",
      CASE WHEN s.state <> 'Finished' THEN (
        SELECT i.step FROM saga_steps i WHERE i.order_id = o.id AND i.phase = 'intent' AND i.step NOT LIKE 'operator.%'
          AND NOT EXISTS (SELECT 1 FROM saga_steps r WHERE r.order_id = o.id AND r.step = i.step
            AND r.attempt = i.attempt AND r.phase = 'result')
        ORDER BY i.seq DESC LIMIT 1) END AS "openStep",
      CASE WHEN EXISTS (SELECT 1 FROM order_tasks t WHERE t.order_id = o.id AND t.state = 'Open') THEN NULL ELSE
        (SELECT coalesce(sum(round(l.line_total * b.units / l.quantity, 2) + round(l.goods_vat * b.units / l.quantity, 2)), 0)::numeric(14, 2)
         FROM scent_order_lines l JOIN fulfillment_groups g ON g.id = l.group_id
         CROSS JOIN LATERAL (SELECT CASE g.status WHEN 'Cancelled' THEN l.quantity ELSE l.returned_quantity END AS units) b
         WHERE l.order_id = o.id) END AS "refundDue"
    FROM orders o LEFT JOIN sagas s ON s.order_id = o.id
    WHERE o.id = ANY ($1::uuid[])`,
};
// Raw: the reconciler looks on the connection it gives.
const KNOWN: PreparedStatement = {
  name: 'reconcile_known_orders',
  text: `SELECT global_id AS "globalId" FROM orders WHERE id = ANY ($1::uuid[])`,
};
const FIRST = `coalesce(nullif($1, '')::uuid, '00000000-0000-0000-0000-000000000000')`;
// Raw: the reconciler pages by keys on the connection it gives.
const PAGE: PreparedStatement = {
  name: 'reconcile_orders_page',
  text: `SELECT id::text AS subject FROM orders WHERE id > ${FIRST} ORDER BY id LIMIT $2`,
};
// Raw: the reconciler pages by keys on the connection it gives.
const SCENT_PAGE: PreparedStatement = {
  name: 'reconcile_scent_orders_page',
  text: `SELECT order_id::text AS subject FROM scent_orders WHERE order_id > ${FIRST} ORDER BY order_id LIMIT $2`,
};

// Raw: as above; the database's clock, since ids are made by the nodes'.
const SETTLED: PreparedStatement = {
  name: 'reconcile_orders_settled',
  text: `SELECT id::text AS subject FROM orders WHERE submitted_at <= clock_timestamp() - $1 * interval '1 millisecond' ORDER BY id DESC LIMIT 1`,
};
// Raw: as above.
const SCENT_SETTLED: PreparedStatement = {
  name: 'reconcile_scent_orders_settled',
  text: `SELECT s.order_id::text AS subject FROM scent_orders s JOIN orders o ON o.id = s.order_id
    WHERE o.submitted_at <= clock_timestamp() - $1 * interval '1 millisecond' ORDER BY s.order_id DESC LIMIT 1`,
};

/** Each order by its id, in one moment; those that are gone are left out. */
export async function readOrderStates(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, OrderState>> {
  const rows = ids.length === 0 ? [] : await query<OrderState>(db, READ, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Of these orders' ids, the global ids of those that are there. */
export async function readKnownOrders(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = ids.length === 0 ? [] : await query<Pick<OrderState, 'globalId'>>(db, KNOWN, [ids]);
  return new Set(rows.map(({ globalId }) => globalId));
}

/** Ids of orders in order of their making. */
export const pageOfOrders = (db: Queryable, after: string, limit: number): Promise<string[]> =>
  pageOf(db, PAGE, after, limit);

/** Ids of scent orders whose cart was priced, in order of their making. */
export const pageOfScentOrders = (db: Queryable, after: string, limit: number): Promise<string[]> =>
  pageOf(db, SCENT_PAGE, after, limit);

/** The last order that was submitted so many milliseconds ago. */
export const lastSettledOrder = (db: Queryable, agoMs: number): Promise<string | undefined> =>
  lastOf(db, SETTLED, agoMs);

/** The last scent order with a price that was submitted so many milliseconds ago. */
export const lastSettledScentOrder = (db: Queryable, agoMs: number): Promise<string | undefined> =>
  lastOf(db, SCENT_SETTLED, agoMs);
