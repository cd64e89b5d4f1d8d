-- Invariant: the role that the service runs as owns no table, and partitions are made all the same (docs/platform/database-roles.md).
-- Runs as the owner, so it takes nothing but a day of one of two tables. The ids between p_from and p_to are that day's.
-- A partition needs its table for itself: it waits a moment only, for everybody else would wait behind it.
CREATE OR REPLACE FUNCTION make_webhook_partition(p_table text, p_day date, p_from uuid, p_to uuid) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '50ms' AS $$
BEGIN
  IF p_table NOT IN ('webhook_events', 'webhook_finished_deliveries') THEN
    RAISE insufficient_privilege USING MESSAGE = format('%s has no partitions by day', p_table);
  END IF;
  EXECUTE format('CREATE TABLE IF NOT EXISTS public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
                 p_table || to_char(p_day, '_YYYYMMDD'), p_table, p_from, p_to);
END;
$$;
