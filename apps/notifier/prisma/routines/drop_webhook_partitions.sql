-- Invariant: the role that the service runs as can drop nothing but whole days that are past their time (docs/platform/database-roles.md).
-- Runs as the owner, so it takes nothing but a day of one of two tables, and keeps deliveries for 30 days and events for 62 whatever it
-- is called with. Returns how many partitions went.
CREATE OR REPLACE FUNCTION drop_webhook_partitions(p_table text, p_oldest date) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  v_oldest date := least(p_oldest, (clock_timestamp() AT TIME ZONE 'UTC')::date
    - CASE p_table WHEN 'webhook_events' THEN 62 ELSE 30 END);
  v_name text;
  v_dropped integer := 0;
BEGIN
  IF p_table NOT IN ('webhook_events', 'webhook_finished_deliveries') THEN
    RAISE insufficient_privilege USING MESSAGE = format('%s has no partitions by day', p_table);
  END IF;
  FOR v_name IN
    -- Also what waited for an archive that is no more.
    SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      AND c.relname ~ ('^' || p_table || '_\d{8}$')
      AND c.relname < p_table || to_char(v_oldest, '_YYYYMMDD')
  LOOP
    EXECUTE format('DROP TABLE IF EXISTS public.%I', v_name);
    v_dropped := v_dropped + 1;
  END LOOP;
  RETURN v_dropped;
END;
$$;
