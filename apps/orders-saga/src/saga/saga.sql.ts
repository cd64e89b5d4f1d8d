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

/** See the function's comment in the migration. */
export const WITHDRAW: PreparedStatement = {
  name: 'saga_withdraw',
  text: `SELECT withdraw_order($1, $2) AS withdrawn`,
};

const GRANTED = `order_id AS "orderId", lease_epoch::text AS epoch, attempts, is_announced AS "isAnnounced", origin`;

/** The sagas that are due longest, each by one claimer only. */
export const CLAIM_DUE: PreparedStatement = {
  name: 'saga_claim_due',
  text: `SELECT ${GRANTED}
    FROM (SELECT order_id AS due FROM sagas WHERE state = 'Active' AND wake_at <= now()
      ORDER BY wake_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) AS claimed,
      grant_lease(claimed.due, $2, $3)`,
};

/** Makes an order due that waits for the next poll of this vendor; one that is being driven is left alone. */
export const WAKE: PreparedStatement = {
  name: 'saga_wake',
  text: `UPDATE sagas s SET wake_at = now() FROM orders o
    WHERE s.order_id = $1 AND o.id = s.order_id AND o.vendor_name = $2 AND o.status = 'Processing'
      AND s.state = 'Active' AND s.lease_until IS NULL AND s.wake_at > now()
    RETURNING s.order_id`,
};

/** See the function's comment in the migration. */
export const TAKE_LAPSED: PreparedStatement = {
  name: 'saga_take_lapsed',
  text: `SELECT ${GRANTED} FROM take_lapsed_saga($1, $2, $3)`,
};

/** See the function's comment in the migration. */
export const TAKE_FOR_OPERATOR: PreparedStatement = {
  name: 'saga_take_for_operator',
  text: `SELECT ${GRANTED} FROM take_saga_for_operator($1, $2, $3, $4, $5)`,
};

/** Prolongs the leases that are still held. */
export const RENEW: PreparedStatement = {
  name: 'saga_renew',
  text: `UPDATE sagas s SET lease_until = now() + $3 * interval '1 millisecond',
      wake_at = now() + $3 * interval '1 millisecond'
    FROM unnest($1::uuid[], $2::bigint[]) AS mine (order_id, epoch)
    WHERE s.order_id = mine.order_id AND s.lease_epoch = mine.epoch AND s.lease_until IS NOT NULL
    RETURNING s.order_id AS "orderId"`,
};
