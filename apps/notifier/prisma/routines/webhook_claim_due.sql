-- Bench row: webhook deliveries, commit to receipt; hundreds of deliveries are claimed in one round trip.
-- Takes up to p_limit due deliveries, at most p_cap at a time of one subscription over all instances, and leases them.
-- Looks at the lanes (subscriptions) p_lanes, each from p_since on; with p_made_within at those too that got a delivery that
-- recently; without p_lanes at all of them, found by hopping along the due index. Each is read from its head only, so a long
-- backlog of one costs the others nothing; those with the fewest attempts under way come first, those of a frozen partner wait
-- (spec §18.5).
-- A row without a delivery says since when a lane has something left, for the next look: while a snapshot is held somewhere,
-- what was finished before that stays in the index as dead entries, and a look must not begin before them. Nothing is older
-- than that but what was committed more than 5 s after it was made. A row without a lane says how long the hopping took.
-- Claims run one after another (they take milliseconds; the hopping, which may take longer, does not), each on a snapshot that
-- shows all leases before it: so the cap is exact. Ordered by lane: attempts that end together are cheaper to record then.
-- Without sorting there is one way to the head of a lane: the due index. A plan that was made while the table was empty
-- stays, and must not read and sort whole lanes once there is a backlog.
CREATE OR REPLACE FUNCTION webhook_claim_due(
  p_limit integer, p_cap integer, p_lease_ms integer, p_lanes uuid[], p_since timestamptz[], p_made_within interval
)
RETURNS TABLE (
  delivery_id uuid, subscription_id uuid, event_id uuid, event_type text, attempts_made integer, token uuid,
  url text, secret_ciphertext bytea, secret_key_id text, body bytea, headers jsonb,
  since timestamptz, hopping_ms double precision
) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET enable_sort = off SET enable_incremental_sort = off SET enable_bitmapscan = off
  SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz := clock_timestamp();
  v_token uuid := gen_random_uuid();
  v_lanes uuid[] := p_lanes;
  v_since timestamptz[] := p_since;
  v_oldest uuid := uuidv7(-p_made_within);
BEGIN
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
    SELECT array_agg(l.subscription_id), array_agg(least(l.next_attempt_at, v_now - interval '5 seconds'))
      INTO v_lanes, v_since FROM lane l;
    hopping_ms := extract(epoch FROM clock_timestamp() - v_now) * 1000;
    RETURN NEXT;
  ELSIF v_oldest IS NOT NULL THEN
    SELECT array_agg(l.id), array_agg(l.since) INTO v_lanes, v_since
    FROM (SELECT k.id, min(k.since) AS since FROM (
            SELECT * FROM unnest(p_lanes, p_since) AS known (id, since)
            UNION ALL
            SELECT p.subscription_id, p.next_attempt_at FROM webhook_pending_deliveries p WHERE p.id >= v_oldest
          ) k GROUP BY k.id) l;
  END IF;
  IF v_lanes IS NULL THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(7700001);
  v_now := clock_timestamp();
  RETURN QUERY
  WITH lane AS MATERIALIZED (
    SELECT l.id, h.next_attempt_at
    FROM unnest(v_lanes, v_since) AS l (id, since) CROSS JOIN LATERAL (
      SELECT p.next_attempt_at FROM webhook_pending_deliveries p
      WHERE p.subscription_id = l.id AND p.next_attempt_at >= coalesce(l.since, '-infinity')
      ORDER BY p.next_attempt_at LIMIT 1
    ) h
  ), open_lane AS MATERIALIZED (
    SELECT s.id, s.url, s.secret_ciphertext, s.secret_key_id, l.next_attempt_at, f.under_way,
           cardinality(f.under_way) AS in_flight
    FROM lane l
    JOIN webhook_subscriptions s ON s.id = l.id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(w.delivery_id), '{}') AS under_way FROM webhook_leases w
      WHERE w.subscription_id = l.id AND w.lease_until > v_now
    ) f
    WHERE l.next_attempt_at <= v_now AND s.is_active AND cardinality(f.under_way) < p_cap
      AND NOT EXISTS (SELECT 1 FROM webhook_partners p WHERE p.partner_id = s.partner_id AND p.is_frozen)
  ), due AS MATERIALIZED (
    SELECT o.id AS subscription_id, o.url, o.secret_ciphertext, o.secret_key_id,
           d.id, d.event_id, d.event_type, d.attempts_made
    FROM open_lane o CROSS JOIN LATERAL (
      SELECT p.id, p.event_id, p.event_type, jsonb_array_length(p.attempts) AS attempts_made, p.next_attempt_at,
             o.in_flight + row_number() OVER (ORDER BY p.next_attempt_at, p.id) AS turn
      FROM webhook_pending_deliveries p
      WHERE p.subscription_id = o.id AND p.next_attempt_at BETWEEN o.next_attempt_at AND v_now
        AND p.id <> ALL (o.under_way)
      ORDER BY p.next_attempt_at, p.id LIMIT p_cap - o.in_flight
    ) d
    ORDER BY d.turn, d.next_attempt_at LIMIT p_limit
  ), leased AS (
    INSERT INTO webhook_leases AS w (subscription_id, delivery_id, token, lease_until)
    SELECT d.subscription_id, d.id, v_token, v_now + p_lease_ms * interval '1 millisecond' FROM due d
    ON CONFLICT (subscription_id, delivery_id)
      DO UPDATE SET token = excluded.token, lease_until = excluded.lease_until
  )
  (SELECT d.id, d.subscription_id, d.event_id, d.event_type, d.attempts_made, v_token, d.url,
          d.secret_ciphertext, d.secret_key_id, e.body, e.headers, NULL::timestamptz, NULL::double precision
   FROM due d LEFT JOIN LATERAL (SELECT w.body, w.headers FROM webhook_events w WHERE w.event_id = d.event_id) e ON true
   ORDER BY d.subscription_id)
  UNION ALL
  SELECT NULL, l.id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
         least(l.next_attempt_at, v_now - interval '5 seconds'), NULL
  FROM lane l;
END;
$$;
