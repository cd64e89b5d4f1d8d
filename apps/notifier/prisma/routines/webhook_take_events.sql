-- Bench row: commit to webhook receipt; a batch of events, their places in feeds and all their deliveries are one round trip.
-- Stores events, gives each its position in its feed and makes a delivery for each active subscription that wants it; an event
-- that is known already is left out, so repeating a batch changes nothing. Returns the last position of each feed that got
-- something, with how many deliveries were made in all.
-- Invariant: nothing ever appears in a feed at or before a position that was seen there (spec §16.2). A feed's lock is held to the end
-- of the transaction, and positions are given after it was taken: what another transaction gave before is visible by then and
-- lower. Locks are taken in one order, so that batches cannot block each other for good.
-- A function, so that its plan is made once and never reads whole tables: the arrays differ in length from call to call.
CREATE OR REPLACE FUNCTION webhook_take_events(
  p_event_ids uuid[],
  p_partner_ids uuid[],
  p_environments text[],
  p_event_types text[],
  p_occurred_ats timestamptz[],
  p_order_global_ids text[],
  p_bodies bytea[],
  p_headers jsonb[]
) RETURNS TABLE (partner_id uuid, environment text, last_position bigint, deliveries integer) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_now bigint;
BEGIN
  INSERT INTO webhook_feeds (partner_id, environment)
  SELECT DISTINCT g.partner_id, g.environment FROM unnest(p_partner_ids, p_environments) AS g (partner_id, environment)
  WHERE NOT EXISTS (SELECT FROM webhook_feeds f WHERE f.partner_id = g.partner_id AND f.environment = g.environment)
  ORDER BY 1, 2
  ON CONFLICT (partner_id, environment) DO NOTHING;

  PERFORM pg_advisory_xact_lock(7700002, f.id) FROM (
    SELECT DISTINCT f.id FROM unnest(p_partner_ids, p_environments) AS g (partner_id, environment)
    JOIN webhook_feeds f ON f.partner_id = g.partner_id AND f.environment = g.environment
    ORDER BY f.id
  ) f;
  v_now := floor(extract(epoch FROM clock_timestamp()) * 1000000);

  -- A statement of its own: its snapshot is taken under the locks.
  RETURN QUERY
  WITH given AS MATERIALIZED (
    SELECT f.id AS feed_id, f.dropped_to, g.*
    FROM unnest(p_event_ids, p_partner_ids, p_environments, p_event_types, p_occurred_ats, p_order_global_ids, p_bodies, p_headers)
      WITH ORDINALITY AS g (event_id, partner_id, environment, event_type, occurred_at, order_global_id, body, headers, place)
    JOIN webhook_feeds f ON f.partner_id = g.partner_id AND f.environment = g.environment
  ), first_free AS MATERIALIZED (
    SELECT d.feed_id, greatest(v_now, d.dropped_to + 1, 1 + (
      SELECT e.position FROM webhook_feed_events e WHERE e.feed_id = d.feed_id ORDER BY e.position DESC LIMIT 1)) AS position
    FROM (SELECT DISTINCT feed_id, dropped_to FROM given) d
  ), added AS (
    INSERT INTO webhook_events AS w (event_id, partner_id, environment, event_type, occurred_at, order_global_id, body, headers, position)
    SELECT g.event_id, g.partner_id, g.environment, g.event_type, g.occurred_at, g.order_global_id, g.body, g.headers,
           f.position + row_number() OVER (PARTITION BY g.feed_id ORDER BY g.place) - 1
    FROM given g JOIN first_free f ON f.feed_id = g.feed_id
    ON CONFLICT (event_id) DO NOTHING
    RETURNING w.event_id, w.partner_id, w.environment, w.event_type, w.position
  ), placed AS (
    INSERT INTO webhook_feed_events (feed_id, position, event_id, event_type)
    SELECT f.id, a.position, a.event_id, a.event_type
    FROM added a JOIN webhook_feeds f ON f.partner_id = a.partner_id AND f.environment = a.environment
    ORDER BY f.id, a.position
  ), made AS (
    INSERT INTO webhook_pending_deliveries (event_id, subscription_id, event_type)
    SELECT a.event_id, s.id, a.event_type
    FROM added a
    JOIN webhook_subscriptions s
      ON s.partner_id = a.partner_id AND s.environment = a.environment AND s.is_active
     AND a.event_type = ANY (s.event_types)
    RETURNING 1
  )
  SELECT a.partner_id, a.environment, max(a.position), (SELECT count(*)::integer FROM made)
  FROM added a GROUP BY a.partner_id, a.environment;
END;
$$;
