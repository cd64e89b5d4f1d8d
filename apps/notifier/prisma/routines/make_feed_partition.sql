-- Invariant: the role that the service runs as owns no table, and partitions are made all the same (docs/platform/database-roles.md).
-- Runs as the owner, so it takes nothing but a day, whose positions it works out by itself.
-- A partition needs its table for itself: it waits a moment only, for everybody else would wait behind it.
CREATE OR REPLACE FUNCTION make_feed_partition(p_day date) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '50ms' AS $$
BEGIN
  EXECUTE format('CREATE TABLE IF NOT EXISTS public.%I PARTITION OF public.webhook_feed_events FOR VALUES FROM (%s) TO (%s)',
                 'webhook_feed_events' || to_char(p_day, '_YYYYMMDD'),
                 extract(epoch FROM p_day)::bigint * 1000000, extract(epoch FROM p_day + 1)::bigint * 1000000);
END;
$$;
