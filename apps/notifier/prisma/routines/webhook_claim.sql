-- Bench row: webhook deliveries, commit to receipt; hundreds of deliveries are claimed in one round trip.
-- Takes up to p_limit due deliveries, at most p_cap at a time of one subscription over all instances, and leases them: of
-- the given subscriptions, or of all when none are given. Claims run one after another (they take milliseconds), each on a
-- snapshot that shows all leases before it: so the cap is exact. All subscriptions are found by hopping along the due
-- index, and each is read from its head only, so a long backlog of one costs the others nothing; those with the fewest
-- attempts under way come first. Ordered by subscription: attempts that end together are cheaper to record when they are of
-- one subscription.
-- Without sorting there is one way to the head of a lane: the due index. A plan that was made while the table was empty
-- stays, and must not read and sort whole lanes once there is a backlog.
CREATE OR REPLACE FUNCTION webhook_claim(
  p_limit integer, p_cap integer, p_lease_ms integer, p_subscription_ids uuid[] DEFAULT NULL
)
RETURNS TABLE (
  delivery_id uuid, subscription_id uuid, event_id uuid, event_type text, attempts_made integer, token uuid,
  url text, secret_ciphertext bytea, secret_key_id text, body bytea, headers jsonb
) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET enable_sort = off SET enable_incremental_sort = off SET enable_bitmapscan = off
  SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz;
  v_token uuid := gen_random_uuid();
  v_lanes uuid[] := p_subscription_ids;
BEGIN
  PERFORM pg_advisory_xact_lock(7700001);
  v_now := clock_timestamp();
  IF v_lanes IS NULL THEN
    WITH RECURSIVE lane AS (
      (SELECT p.subscription_id, p.next_attempt_at FROM webhook_pending_deliveries p
       ORDER BY p.subscription_id, p.next_attempt_at LIMIT 1)
      UNION ALL
      SELECT n.subscription_id, n.next_attempt_at
      FROM lane l CROSS JOIN LATERAL (
        SELECT p.subscription_id, p.next_attempt_at FROM webhook_pending_deliveries p
        WHERE p.subscription_id > l.subscription_id
        ORDER BY p.subscription_id, p.next_attempt_at LIMIT 1
      ) n
    )
    SELECT array_agg(l.subscription_id) INTO v_lanes FROM lane l WHERE l.next_attempt_at <= v_now;
  END IF;
  RETURN QUERY
  WITH open_lane AS MATERIALIZED (
    SELECT s.id, s.url, s.secret_ciphertext, s.secret_key_id, f.under_way, cardinality(f.under_way) AS in_flight
    FROM (SELECT DISTINCT unnest(v_lanes) AS id) l
    JOIN webhook_subscriptions s ON s.id = l.id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(w.delivery_id), '{}') AS under_way FROM webhook_leases w
      WHERE w.subscription_id = l.id AND w.lease_until > v_now
    ) f
    WHERE s.is_active AND cardinality(f.under_way) < p_cap
  ), due AS MATERIALIZED (
    SELECT o.id AS subscription_id, o.url, o.secret_ciphertext, o.secret_key_id,
           d.id, d.event_id, d.event_type, d.attempts_made
    FROM open_lane o CROSS JOIN LATERAL (
      SELECT p.id, p.event_id, p.event_type, jsonb_array_length(p.attempts) AS attempts_made, p.next_attempt_at,
             o.in_flight + row_number() OVER (ORDER BY p.next_attempt_at, p.id) AS turn
      FROM webhook_pending_deliveries p
      WHERE p.subscription_id = o.id AND p.next_attempt_at <= v_now AND p.id <> ALL (o.under_way)
      ORDER BY p.next_attempt_at, p.id LIMIT p_cap - o.in_flight
    ) d
    ORDER BY d.turn, d.next_attempt_at LIMIT p_limit
  ), leased AS (
    INSERT INTO webhook_leases AS w (subscription_id, delivery_id, token, lease_until)
    SELECT d.subscription_id, d.id, v_token, v_now + p_lease_ms * interval '1 millisecond' FROM due d
    ON CONFLICT (subscription_id, delivery_id)
      DO UPDATE SET token = excluded.token, lease_until = excluded.lease_until
  )
  SELECT d.id, d.subscription_id, d.event_id, d.event_type, d.attempts_made, v_token, d.url,
         d.secret_ciphertext, d.secret_key_id, e.body, e.headers
  FROM due d LEFT JOIN LATERAL (SELECT w.body, w.headers FROM webhook_events w WHERE w.event_id = d.event_id) e ON true
  ORDER BY d.subscription_id;
END;
$$;
