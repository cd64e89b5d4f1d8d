-- Invariant: a cursor is known to have missed something for as long as it exists (spec §16.1): what a day held last of each feed is
-- recorded in the transaction in which the day goes.
-- Runs as the owner (docs/platform/database-roles.md), so it keeps 30 days whatever it is called with. Returns how many partitions went.
CREATE OR REPLACE FUNCTION drop_feed_partitions(p_oldest date) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  v_oldest date := least(p_oldest, (clock_timestamp() AT TIME ZONE 'UTC')::date - 30);
  v_from bigint := extract(epoch FROM v_oldest)::bigint * 1000000;
  v_name text;
  v_dropped integer := 0;
BEGIN
  -- One look into the index for each feed; what the default partition holds of old days is among it.
  UPDATE public.webhook_feeds f SET dropped_to = l.position
  FROM (SELECT g.id, (SELECT e.position FROM public.webhook_feed_events e WHERE e.feed_id = g.id AND e.position < v_from
                      ORDER BY e.position DESC LIMIT 1) AS position
        FROM public.webhook_feeds g) l
  WHERE f.id = l.id AND f.dropped_to < l.position;
  FOR v_name IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'public.webhook_feed_events'::regclass AND c.relname ~ '_\d{8}$'
      AND c.relname < 'webhook_feed_events' || to_char(v_oldest, '_YYYYMMDD')
  LOOP
    EXECUTE format('DROP TABLE IF EXISTS public.%I', v_name);
    v_dropped := v_dropped + 1;
  END LOOP;
  DELETE FROM public.webhook_feed_events_default WHERE position < v_from;
  RETURN v_dropped;
END;
$$;
