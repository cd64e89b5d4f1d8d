-- Invariant: reading how long deliveries have been due costs no more than claiming them, however many wait and whatever was finished.
-- What is due of each subscription (lane) is read from where something of it is left: of the lanes p_lanes, each from p_since on, and
-- with p_made_within of those that got a delivery that recently; without p_lanes of all, found by hopping along the due index. What a
-- subscription with all its slots taken has due waits for its receiver; what another has due waits for us, unless its
-- partner is frozen. lanes says where the next reading may begin, so that dead entries of a long snapshot are not read past.
CREATE OR REPLACE FUNCTION webhook_due_ages(
  p_cap integer, p_lanes uuid[], p_since timestamptz[], p_made_within interval
)
RETURNS TABLE (seconds double precision, unclaimed double precision, busy bigint, lanes jsonb) LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET enable_sort = off SET enable_incremental_sort = off SET enable_bitmapscan = off
  SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_oldest uuid := uuidv7(-p_made_within);
BEGIN
  RETURN QUERY
  WITH RECURSIVE hop AS (
    (SELECT p.subscription_id, p.next_attempt_at FROM webhook_pending_deliveries p
     WHERE p_lanes IS NULL ORDER BY p.subscription_id, p.next_attempt_at LIMIT 1)
    UNION ALL
    SELECT n.subscription_id, n.next_attempt_at
    FROM hop l CROSS JOIN LATERAL (
      SELECT p.subscription_id, p.next_attempt_at FROM webhook_pending_deliveries p
      WHERE p.subscription_id > l.subscription_id
      ORDER BY p.subscription_id, p.next_attempt_at LIMIT 1
    ) n
  ), known AS MATERIALIZED (
    SELECT k.id, min(k.since) AS since FROM (
      SELECT h.subscription_id AS id, h.next_attempt_at AS since FROM hop h
      UNION ALL
      SELECT * FROM unnest(p_lanes, p_since)
      UNION ALL
      SELECT p.subscription_id, p.next_attempt_at FROM webhook_pending_deliveries p WHERE p.id >= v_oldest
    ) k GROUP BY k.id
  ), lane AS MATERIALIZED (
    SELECT k.id AS subscription_id, h.next_attempt_at
    FROM known k CROSS JOIN LATERAL (
      SELECT p.next_attempt_at FROM webhook_pending_deliveries p
      WHERE p.subscription_id = k.id AND p.next_attempt_at >= k.since
      ORDER BY p.next_attempt_at LIMIT 1
    ) h
  ), due AS MATERIALIZED (
    SELECT l.subscription_id, l.next_attempt_at, f.under_way
    FROM lane l JOIN webhook_subscriptions s ON s.id = l.subscription_id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(w.delivery_id), '{}') AS under_way FROM webhook_leases w
      WHERE w.subscription_id = l.subscription_id AND w.lease_until > v_now
    ) f
    WHERE s.is_active AND l.next_attempt_at <= v_now
      AND NOT EXISTS (SELECT 1 FROM webhook_partners w WHERE w.partner_id = s.partner_id AND w.is_frozen)
  )
  SELECT coalesce(extract(epoch FROM v_now - min(d.next_attempt_at)), 0)::double precision,
    coalesce(extract(epoch FROM v_now - min(u.next_attempt_at)), 0)::double precision,
    count(*) FILTER (WHERE cardinality(d.under_way) >= p_cap),
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', l.subscription_id,
              'since', least(l.next_attempt_at, v_now - interval '5 seconds'))), '[]') FROM lane l)
  FROM due d
  LEFT JOIN LATERAL (
    SELECT p.next_attempt_at FROM webhook_pending_deliveries p
    WHERE cardinality(d.under_way) < p_cap AND p.subscription_id = d.subscription_id
      AND p.next_attempt_at BETWEEN d.next_attempt_at AND v_now AND p.id <> ALL (d.under_way)
    ORDER BY p.next_attempt_at, p.id LIMIT 1
  ) u ON true;
END;
$$;
