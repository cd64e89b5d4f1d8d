import type { LockWait, PreparedStatement } from '@reseller/database';
import type { StoredProduct } from '../order/details-table';
import { ORDER_COLUMNS, orderSource } from '../order/order-row';

// Rows ($1, a JSON array) do not wait long for a lock that one of them needs: they fail, to be tried each alone, which waits as long as it
// takes. Whoever takes the rows from here has the time set before it meets a lock.
const patience = (wait: LockWait): string => `patience AS MATERIALIZED (
      SELECT $1::jsonb AS rows${wait === 'briefly' ? `, set_config('lock_timeout', '200ms', true)` : ''}
    )`;

/**
 * Raw: bench row POST top-up. Order, details, saga and the first two journal entries for each of $1 (a JSON array of orders
 * of these products); no row for one whose reference is taken. JSON because orders are made in batches of whatever waits.
 */
export function beginOf(products: readonly StoredProduct[], wait: LockWait): PreparedStatement {
  const details = products.flatMap(({ name, table }) => table.insert?.(newOrdersOf(name)) ?? []);
  return {
    name: ['saga_begin', wait, ...products.map(({ name }) => name)].join('_'),
    text: `WITH ${patience(wait)}, requested AS MATERIALIZED (
      SELECT o.* FROM patience, jsonb_to_recordset(patience.rows) AS o (id uuid, global_id text, saga_id text, partner_id uuid,
        partner_global_id text, environment text, product text, external_reference text, request jsonb,
        geo_scope_global_id text, amount numeric, currency text, vendor_name text, display_currency text,
        display_rate numeric, details jsonb, entries text, origin jsonb)
    ), made AS (
      INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product,
        external_reference, request, geo_scope_global_id, amount, currency, status, vendor_name,
        display_currency, display_rate, submitted_at)
      SELECT id, global_id, saga_id, partner_id, partner_global_id, environment, product,
        external_reference, request, geo_scope_global_id, amount, currency, 'Pending', vendor_name,
        display_currency, display_rate, clock_timestamp()
      FROM requested
      ON CONFLICT ON CONSTRAINT orders_reference DO NOTHING
      RETURNING *
    )${ctes('details', details)}, saga AS (
      INSERT INTO sagas (order_id, state, lease_owner, lease_epoch, lease_until, wake_at, origin, journal)
      SELECT made.id, 'Active', $2, 1, now() + $3 * interval '1 millisecond', now() + $3 * interval '1 millisecond',
        requested.origin, journal_lines(requested.entries)
      FROM made JOIN requested ON requested.id = made.id
    )
    SELECT ${ORDER_COLUMNS} FROM made AS orders`,
  };
}

const newOrdersOf = (product: string): string =>
  `(SELECT made.id, requested.details FROM made JOIN requested ON requested.id = made.id
      WHERE made.product = '${product}')`;

/**
 * Raw: bench row POST top-up. One recorded move for each of $1 (a JSON array), and what the moves of these products learned
 * of their details; no row for one whose lease was lost. See advance_sagas.
 */
export function advanceOf(learning: readonly StoredProduct[], wait: LockWait): PreparedStatement {
  const details = learning.flatMap(({ name, table }) => table.learn?.(movedOrdersOf(name)) ?? []);
  return {
    name: ['saga_advance', wait, ...learning.map(({ name }) => name)].join('_'),
    text:
      learning.length === 0
        ? `WITH ${patience(wait)}
    SELECT a.n, ${ORDER_COLUMNS} FROM patience, advance_sagas(patience.rows) AS a, LATERAL (SELECT (a.changed).*) AS orders`
        : `WITH ${patience(wait)}, moved AS MATERIALIZED (
      SELECT a.n, m.details, (a.changed).*
      FROM patience, advance_sagas(patience.rows) AS a JOIN jsonb_to_recordset($1::jsonb) AS m (n integer, details jsonb) ON m.n = a.n
    )${ctes('details', details)}
    SELECT orders.n, ${ORDER_COLUMNS} FROM moved AS orders`,
  };
}

const movedOrdersOf = (product: string): string =>
  `(SELECT id, details FROM moved WHERE product = '${product}' AND details IS NOT NULL)`;

const ctes = (name: string, statements: readonly string[]): string =>
  statements.map((statement, n) => `, ${name}_${n} AS (${statement})`).join('');

/**
 * Raw: an order goes with every trace of it in one statement, so that a process which freezes leaves nothing locked for whoever
 * makes one under its reference. Deletes a Pending order whose saga is under lease $2, with its details, saga and journal; the
 * saga is locked first, as by whoever changes the order.
 */
export function withdrawOf(products: readonly StoredProduct[]): PreparedStatement {
  const tables = products.flatMap(({ table }) => table.name ?? []);
  const deletes = tables.map((table) => `DELETE FROM ${table} USING gone WHERE order_id = gone.id`);
  return {
    name: 'saga_withdraw',
    text: `WITH leased AS MATERIALIZED (
      SELECT order_id FROM sagas WHERE order_id = $1 AND lease_epoch = $2 AND state = 'Active' FOR UPDATE
    ), gone AS (
      DELETE FROM orders USING leased WHERE id = leased.order_id AND status = 'Pending' RETURNING id
    )${ctes('traces', deletes)}
      DELETE FROM sagas USING gone WHERE order_id = gone.id RETURNING order_id`,
  };
}

/** Raw: order and journal by one snapshot, and the database's clock. */
export function loadOf(products: readonly StoredProduct[]): PreparedStatement {
  const { columns, from } = orderSource(products);
  return {
    name: 'saga_load',
    text: `SELECT ${columns}, clock_timestamp() AS "readAt",
        (SELECT coalesce(jsonb_agg(jsonb_build_object('step', s.step, 'attempt', s.attempt, 'phase', s.phase,
          'outcome', s.outcome, 'details', s.details) ORDER BY s.seq), '[]') FROM saga_steps s WHERE s.order_id = orders.id)
          AS journal
      FROM ${from} WHERE orders.id = $1`,
  };
}
