import { HISTORY, idOf } from './history.sql';

const ENDED = `at + interval '20 ms'`;

/**
 * The events of a piece's orders ($1 to $8) since the moment $9, their places in the feed, and a delivery of each to every active subscription
 * that wants it: one in a hundred after eight attempts in vain. Partitions of their days are there.
 */
export const INSERT_DELIVERIES = `
  WITH feed AS MATERIALIZED (SELECT id FROM webhook_feeds WHERE partner_id = $1::uuid AND environment = $2::text),
  made AS MATERIALIZED (
    SELECT *, CASE status WHEN 'Failed' THEN 'order.failed' ELSE 'order.completed' END AS event_type,
      ${idOf(ENDED, `global_id || 'event'`)} AS event_id, ${ENDED} AS ended_at,
      (extract(epoch FROM ${ENDED}) * 1000000)::bigint AS position
    FROM (${HISTORY}) AS orders WHERE at >= $9::timestamptz AND status IN ('Completed', 'Reversed', 'Failed')
  ), announced AS (
    INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, order_global_id, body, headers, position, created_at)
    SELECT event_id, $1::uuid, $2::text, event_type, ended_at, global_id, convert_to(json_build_object('eventId', event_id,
        'eventType', event_type, 'occurredAt', to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'data', json_build_object('orderGlobalId', global_id, 'partnerId', $1::uuid,
          'productType', CASE WHEN is_esim THEN 'Esim' ELSE 'Topup' END, 'externalReference', reference, 'amount', amount::float8, 'currency', 'SAR',
          'failureCode', CASE status WHEN 'Failed' THEN 'VENDOR_REFUSED' END,
          'status', CASE status WHEN 'Failed' THEN status ELSE 'Completed' END, 'customerRef', NULL))::text, 'UTF8'),
      '{}', position, ended_at
    FROM made
  ), placed AS (
    INSERT INTO webhook_feed_events (feed_id, position, event_id, event_type)
    SELECT feed.id, position, event_id, event_type FROM made, feed
  ), delivered AS MATERIALIZED (
    SELECT ${idOf('m.ended_at', `m.global_id || s.id`)} AS id, m.event_id, s.id AS subscription_id, m.event_type, m.ended_at,
      CASE WHEN m.n % 100 = 50 THEN 'DeadLettered' ELSE 'Delivered' END AS status
    FROM made AS m JOIN webhook_subscriptions AS s
      ON s.partner_id = $1::uuid AND s.environment = $2::text AND s.is_active AND m.event_type = ANY (s.event_types)
  ), finished AS (
    INSERT INTO webhook_finished_deliveries (id, event_id, subscription_id, event_type, status, attempts)
    SELECT id, event_id, subscription_id, event_type, status, (
        SELECT jsonb_agg(jsonb_build_object('attemptNumber', attempt, 'attemptedAt',
            to_char((ended_at + attempt * interval '30 s') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'durationMs', 20,
            'responseStatus', CASE status WHEN 'Delivered' THEN 204 ELSE 500 END,
            'errorSummary', CASE status WHEN 'Delivered' THEN NULL ELSE 'Delivery failed' END))
        FROM generate_series(1, CASE status WHEN 'Delivered' THEN 1 ELSE 8 END) AS attempt)
    FROM delivered
  )
  INSERT INTO webhook_delivery_counts AS c (subscription_id, day, event_type, status, n)
  SELECT subscription_id, (ended_at AT TIME ZONE 'UTC')::date, event_type, status, count(*) FROM delivered GROUP BY 1, 2, 3, 4
  ON CONFLICT (subscription_id, day, event_type, status) DO UPDATE SET n = c.n + excluded.n`;

/** Makes the partitions of the days from $1 on, up to yesterday, as the service makes those of the days to come. */
export const MAKE_PARTITIONS = `
  SELECT make_feed_partition(day), make_webhook_partition('webhook_events', day, "from", "to"),
    make_webhook_partition('webhook_finished_deliveries', day, "from", "to")
  FROM (
    SELECT at::date AS day, ${firstIdOf('at')} AS "from", ${firstIdOf(`at + interval '1 day'`)} AS "to"
    FROM generate_series($1::date::timestamp, (now() AT TIME ZONE 'UTC')::date - interval '2 days', interval '1 day') AS at
  ) AS days`;

/** SQL for the id before which no UUIDv7 of a day begins. */
function firstIdOf(day: string): string {
  return `(lpad(to_hex((extract(epoch FROM ${day}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
}
