import { query, queryWithoutEvents, type PreparedStatement, type Queryable } from '@reseller/database';
import type { Pool } from 'pg';

// Raw: one instance at a time, and the totals are many and the changed ones few, whatever the planner knows of either.
const TAKE_TURN: PreparedStatement = {
  name: 'order_totals_turn',
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('orders.order_totals', 0)) AS "isMine",
    set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
};

// Raw: changes become totals in one statement, so that every snapshot has each order once. What one snapshot sees of the
// changes never takes away more than it and the totals have, since whoever changed an order saw it made.
const FOLD: PreparedStatement = {
  name: 'order_totals_fold',
  text: `WITH taken AS (
      DELETE FROM order_total_changes RETURNING *
    ), net AS (
      SELECT partner_id, environment, product, hour, change.status, sum(change.n) AS n
      FROM taken, LATERAL (VALUES (to_status, orders), (from_status, -orders)) AS change (status, n)
      WHERE change.status IS NOT NULL
      GROUP BY 1, 2, 3, 4, 5
      HAVING sum(change.n) <> 0
    ), moved AS (
      DELETE FROM hour_amounts USING (SELECT DISTINCT environment, hour FROM taken) AS t
      WHERE hour_amounts.environment = t.environment AND hour_amounts.hour = t.hour
    ), changed AS (
      SELECT owner.id AS partner_id, environment, level, order_span(level, hour) AS starts_at, product, status, sum(n) AS n
      FROM net, generate_series(0, 2) AS level,
        LATERAL (VALUES (net.partner_id), ('00000000-0000-0000-0000-000000000000'::uuid)) AS owner (id)
      GROUP BY 1, 2, 3, 4, 5, 6
      HAVING sum(n) <> 0
    )
    MERGE INTO order_totals AS t USING changed AS c
      ON t.partner_id = c.partner_id AND t.environment = c.environment AND t.level = c.level AND t.starts_at = c.starts_at
        AND t.product = c.product AND t.status = c.status
    WHEN MATCHED AND t.orders + c.n = 0 THEN DELETE
    WHEN MATCHED THEN UPDATE SET orders = t.orders + c.n
    WHEN NOT MATCHED THEN INSERT (partner_id, environment, level, starts_at, product, status, orders)
      VALUES (c.partner_id, c.environment, c.level, c.starts_at, c.product, c.status, c.n)`,
};

const ANY_CHANGE: PreparedStatement = {
  name: 'order_totals_any_change',
  text: 'SELECT 1 FROM order_total_changes LIMIT 1',
};

/** Whether anything has happened to the totals of the lists since the last time. */
export async function isAnyTotalChanged(pool: Pool): Promise<boolean> {
  return (await queryWithoutEvents(pool, ANY_CHANGE)).length > 0;
}

/** Whether the caller's transaction is the one that may change totals and what follows from them, until it ends. */
export async function takeTotalsTurn(tx: Queryable): Promise<boolean> {
  const [turn] = await query<{ isMine: boolean }>(tx, TAKE_TURN);
  return turn?.isMine ?? false;
}

/**
 * Adds up, in the caller's transaction, what has happened to the totals of the lists since the last time; one at a time does. An hour whose
 * orders moved has other amounts now.
 */
export async function foldOrderTotals(tx: Queryable): Promise<void> {
  if (await takeTotalsTurn(tx)) await query(tx, FOLD);
}
