-- Bench row: reads of the events feed; a page is one round trip.
-- Looks at up to p_most events of a feed after p_after (null: the oldest kept) and returns the first p_limit of p_types (null: all)
-- with their bytes; then a row without an event: up to where it looked, at how many, and whether events after p_after are kept no
-- more, which returns none (spec §16.1). Stable: all of it is of one snapshot.
-- A function for the sake of its plan: however the feed and the table grow, it reads a range of the primary key.
CREATE OR REPLACE FUNCTION webhook_read_feed(
  p_partner_id uuid, p_environment text, p_after bigint, p_retention_ms bigint, p_most integer, p_types text[], p_limit integer
) RETURNS TABLE (place bigint, event_id uuid, body bytea, looked_at integer, is_expired boolean) LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_bitmapscan = off
  SET enable_sort = off SET enable_incremental_sort = off
  SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_horizon bigint := floor(extract(epoch FROM clock_timestamp()) * 1000000) - p_retention_ms * 1000;
  v_feed webhook_feeds;
  v_after bigint;
BEGIN
  SELECT * INTO v_feed FROM webhook_feeds f WHERE f.partner_id = p_partner_id AND f.environment = p_environment;
  v_after := coalesce(p_after, greatest(v_horizon, v_feed.dropped_to));
  IF v_after < v_feed.dropped_to OR EXISTS (
    SELECT FROM webhook_feed_events e WHERE e.feed_id = v_feed.id AND e.position > v_after AND e.position <= v_horizon
  ) THEN
    RETURN QUERY SELECT v_after, NULL::uuid, NULL::bytea, 0, true;
    RETURN;
  END IF;
  RETURN QUERY
  WITH looked AS MATERIALIZED (
    SELECT e.position, e.event_id, e.event_type FROM webhook_feed_events e
    WHERE e.feed_id = v_feed.id AND e.position > v_after ORDER BY e.position LIMIT p_most
  ), wanted AS MATERIALIZED (
    SELECT l.position, l.event_id FROM looked l
    WHERE p_types IS NULL OR l.event_type = ANY (p_types) ORDER BY l.position LIMIT p_limit
  )
  (SELECT w.position, w.event_id, b.body, NULL::integer, false
   FROM wanted w CROSS JOIN LATERAL (SELECT k.body FROM webhook_events k WHERE k.event_id = w.event_id) b
   ORDER BY w.position)
  UNION ALL
  SELECT coalesce(max(l.position), v_after), NULL, NULL, count(*)::integer, false FROM looked l;
END;
$$;
