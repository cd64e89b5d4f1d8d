import type { PreparedStatement } from '@reseller/database';
import { ORDER_COLUMNS } from '../order/order-row';

/**
 * Order, saga and the first two journal entries, for each of $1 (a JSON array); no row for one whose reference is
 * taken. JSON because orders are made in batches of whatever waits.
 */
export const BEGIN: PreparedStatement = {
  name: 'saga_begin',
  text: `WITH asked AS (
      SELECT * FROM jsonb_to_recordset($1::jsonb) AS o (id uuid, global_id text, saga_id text, partner_id uuid,
        partner_global_id text, environment text, product text, external_reference text, request jsonb,
        geo_scope_global_id text, amount numeric, currency text, phone_number text, vendor_name text,
        display_currency text, display_rate numeric, product_sku text, email text, data_allowance numeric,
        validity_days integer, first_step text, origin jsonb)
    ), made AS (
      INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product,
        external_reference, request, geo_scope_global_id, amount, currency, phone_number, status, vendor_name,
        display_currency, display_rate, submitted_at, product_sku, email, data_allowance, validity_days)
      SELECT id, global_id, saga_id, partner_id, partner_global_id, environment, product,
        external_reference, request, geo_scope_global_id, amount, currency, phone_number, 'Pending', vendor_name,
        display_currency, display_rate, clock_timestamp(), product_sku, email, data_allowance, validity_days
      FROM asked
      ON CONFLICT ON CONSTRAINT orders_reference DO NOTHING
      RETURNING *
    ), saga AS (
      INSERT INTO sagas (order_id, state, lease_owner, lease_epoch, lease_until, wake_at, origin)
      SELECT made.id, 'Active', $2, 1, now() + $3 * interval '1 millisecond', now() + $3 * interval '1 millisecond',
        asked.origin
      FROM made JOIN asked ON asked.id = made.id
    ), journal AS (
      INSERT INTO saga_steps (order_id, step, phase, outcome)
      SELECT made.id, step, phase, outcome FROM made JOIN asked ON asked.id = made.id,
        LATERAL (VALUES ('order.created', 'result', 'Done'), (asked.first_step, 'intent', NULL))
          AS entry (step, phase, outcome)
    )
    SELECT ${ORDER_COLUMNS} FROM made`,
};

/** One recorded move for each of $1 (a JSON array); no row for one whose lease was lost. See advance_saga. */
export const ADVANCE: PreparedStatement = {
  name: 'saga_advance',
  text: `SELECT m.n, ${ORDER_COLUMNS}
    FROM jsonb_to_recordset($1::jsonb) AS m (n integer, order_id uuid, epoch bigint, from_status text, to_status text,
      change jsonb, steps jsonb, next text, wake_ms integer, topic text, event_type text, event text, announces boolean, headers jsonb),
      LATERAL advance_saga(m.order_id, m.epoch, m.from_status, m.to_status, m.change, m.steps, m.next, m.wake_ms,
        m.topic, m.event_type, decode(m.event, 'base64'), m.announces, m.headers)`,
};

/** Locks the saga of an order under its lease. */
export const LOCK_LEASED: PreparedStatement = {
  name: 'saga_lock_leased',
  text: `SELECT FROM sagas WHERE order_id = $1 AND lease_epoch = $2 AND state = 'Active' FOR UPDATE`,
};

/** Deletes a Pending order with its saga and journal. */
export const DELETE_PENDING: PreparedStatement = {
  name: 'saga_delete_pending',
  text: `WITH gone AS (DELETE FROM orders WHERE id = $1 AND status = 'Pending' RETURNING id),
      steps AS (DELETE FROM saga_steps USING gone WHERE order_id = gone.id)
    DELETE FROM sagas USING gone WHERE order_id = gone.id RETURNING order_id`,
};
