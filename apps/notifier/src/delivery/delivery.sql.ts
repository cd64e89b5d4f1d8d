import type { PreparedStatement } from '@reseller/database';
import { NOT_FOLDED } from './delivery-count.repository';

/** Pending deliveries as rows of one form with those that ended. */
export const PENDING = `SELECT id, event_id, subscription_id, event_type, 'Pending' AS status, false AS is_test, next_attempt_at,
  attempts FROM webhook_pending_deliveries`;
/** Deliveries that ended, in the same form. */
export const FINISHED = `SELECT id, event_id, subscription_id, event_type, status, is_test, NULL::timestamptz AS next_attempt_at,
  attempts FROM webhook_finished_deliveries`;
/** A delivery `d` with its event `e`. */
export const COLUMNS = `d.id, d.subscription_id AS "subscriptionId", e.partner_id AS "partnerId", e.environment,
  d.event_id AS "eventId", d.event_type AS "eventType", d.status, d.is_test AS "isTest",
  d.next_attempt_at AS "nextAttemptAt", uuidv7_time(d.id) AS "createdAt", d.attempts,
  e.order_global_id AS "orderGlobalId"`;
/** The UTC day on which a delivery was made. */
export const DAY_OF_ID = "(uuidv7_time(id) AT TIME ZONE 'UTC')::date";
/** Each delivery with its event. */
export const WITH_EVENT = 'JOIN webhook_events e ON e.event_id = d.event_id';

// Raw: pending and finished deliveries are read as one table, by the database's clock.
// An event is kept for as long as a delivery made of it on its last day may take, so that none loses its body.
export const FIND_REDELIVERABLE: PreparedStatement = {
  name: 'webhook-delivery-redeliverable',
  text: `SELECT ${COLUMNS} FROM (${PENDING} WHERE id = $1 UNION ALL ${FINISHED} WHERE id = $1) d ${WITH_EVENT}
         WHERE e.created_at > clock_timestamp() - make_interval(days => $2)`,
};

// Raw: the event's partitions are not in Prisma's schema.
export const BODY: PreparedStatement = {
  name: 'webhook-event-body',
  text: 'SELECT body FROM webhook_events WHERE event_id = $1',
};

// Raw: pending and finished deliveries are read as one table.
export const OF_ORDER: PreparedStatement = {
  name: 'webhook-deliveries-of-order',
  text: `SELECT ${COLUMNS} FROM webhook_events e CROSS JOIN LATERAL (
           ${PENDING} WHERE event_id = e.event_id UNION ALL ${FINISHED} WHERE event_id = e.event_id
         ) d
         WHERE e.order_global_id = $1 AND ($2::uuid IS NULL OR (e.partner_id = $2 AND e.environment = $3)) ORDER BY d.id`,
};

// Raw: pending and finished deliveries are read as one table; each part by its own index.
export const SEARCH: PreparedStatement = {
  name: 'webhook-deliveries-search',
  text: `SELECT ${COLUMNS} FROM (
           (${PENDING} WHERE subscription_id = $1::uuid ORDER BY id DESC LIMIT $3)
           UNION (${FINISHED} WHERE subscription_id = $1::uuid ORDER BY id DESC LIMIT $3)
           UNION ${PENDING} WHERE id = $1::uuid UNION ${FINISHED} WHERE id = $1::uuid
           UNION ${PENDING} WHERE event_id IN (SELECT $1::uuid UNION SELECT event_id FROM webhook_events WHERE order_global_id = $2)
           UNION ${FINISHED} WHERE event_id IN (SELECT $1::uuid UNION SELECT event_id FROM webhook_events WHERE order_global_id = $2)
         ) d ${WITH_EVENT} ORDER BY d.id DESC LIMIT $3`,
};

// Raw: pending and finished deliveries are counted as one table, finished ones of whole days by the counts of the days on
// which they were made. The environment is the subscription's, or of one that is gone its events'.
export const COUNT: PreparedStatement = {
  name: 'webhook-deliveries-count',
  text: `SELECT coalesce(sum(n) FILTER (WHERE d.status = 'Delivered'), 0)::int AS delivered,
           coalesce(sum(n) FILTER (WHERE d.status = 'DeadLettered'), 0)::int AS "deadLettered",
           coalesce(sum(n) FILTER (WHERE d.status = 'Pending'), 0)::int AS pending
         FROM (
           SELECT subscription_id, status, sum(n) AS n, (array_agg(event_id))[1] AS event_id FROM (
             SELECT subscription_id, status, 1 AS n, event_id FROM webhook_finished_deliveries
             WHERE id >= $2::uuid AND id < least($3::uuid, $4::uuid)
             UNION ALL SELECT subscription_id, status, 1, event_id FROM webhook_finished_deliveries WHERE id >= greatest($2::uuid, $5::uuid) AND id < $3::uuid
             UNION ALL SELECT subscription_id, 'Pending', 1, event_id FROM webhook_pending_deliveries WHERE id >= $2::uuid AND id < $3::uuid
             UNION ALL SELECT subscription_id, status, n, NULL FROM webhook_delivery_counts WHERE day >= $6::date AND day < $7::date
             UNION ALL SELECT subscription_id, status, n, NULL FROM webhook_delivery_minutes
               WHERE day >= $6::date AND day < $7::date AND minute >= ${NOT_FOLDED}
           ) AS counted GROUP BY subscription_id, status
         ) d LEFT JOIN webhook_subscriptions s ON s.id = d.subscription_id
         WHERE coalesce(s.environment, (SELECT e.environment FROM webhook_events e WHERE e.event_id = coalesce(d.event_id,
           (SELECT f.event_id FROM webhook_finished_deliveries f WHERE f.subscription_id = d.subscription_id LIMIT 1)))) = $1`,
};

// Raw: one of two at the same time makes a delivery. The row of webhook_redeliveries is locked by the first of two at the same time; the second finds it a moment old.
export const REDELIVER: PreparedStatement = {
  name: 'webhook-redeliver',
  text: `WITH turn AS (
           INSERT INTO webhook_redeliveries AS r (event_id, subscription_id, times, last_at)
           VALUES ($1, $2, 1, clock_timestamp())
           ON CONFLICT (event_id, subscription_id) DO UPDATE SET times = r.times + 1, last_at = clock_timestamp()
             WHERE r.last_at <= clock_timestamp() - interval '1 second'
           RETURNING event_id, subscription_id, times
         )
         INSERT INTO webhook_pending_deliveries (event_id, subscription_id, event_type, redelivery)
         SELECT event_id, subscription_id, $3, times FROM turn
         RETURNING id, next_attempt_at AS "nextAttemptAt", uuidv7_time(id) AS "createdAt"`,
};

// Raw: event, delivery and count in one statement.
export const RECORD_TEST: PreparedStatement = {
  name: 'webhook-record-test',
  text: `WITH event AS (
           INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, order_global_id, body, headers)
           VALUES ($1, $2, $3, $4, $5, NULL, $6, $14)
         ), ended AS (
           INSERT INTO webhook_finished_deliveries (id, event_id, subscription_id, event_type, is_test, status, attempts)
           VALUES ($13, $1, $7, $4, true, $8, jsonb_build_array(jsonb_build_object(
             'attemptNumber', 1, 'attemptedAt', $9::text, 'responseStatus', $10::integer, 'durationMs', $11::integer,
             'errorSummary', $12::text)))
           RETURNING id
         ), counted AS (
           INSERT INTO webhook_delivery_minutes AS c (subscription_id, minute, day, event_type, status, n)
           SELECT $7, date_trunc('minute', clock_timestamp()), ${DAY_OF_ID}, $4, $8, 1 FROM ended
           ON CONFLICT (subscription_id, minute, day, event_type, status) DO UPDATE SET n = c.n + 1
         )
         SELECT id, uuidv7_time(id) AS "createdAt" FROM ended`,
};
