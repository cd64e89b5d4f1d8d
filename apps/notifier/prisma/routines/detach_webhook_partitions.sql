-- Invariant: a day past its time changes no more and is still there until it is archived: who lists deliveries has none of it, and
-- nobody waits for whoever reads it for the archive.
-- Runs as the owner (docs/platform/database-roles.md), so it takes nothing but a day of one of two tables, by the time that
-- drop_webhook_partitions keeps. Returns the names of what waits, which the caller may read.
CREATE OR REPLACE FUNCTION detach_webhook_partitions(p_table text, p_oldest date) RETURNS SETOF text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  v_oldest date := least(p_oldest, (clock_timestamp() AT TIME ZONE 'UTC')::date
    - CASE p_table WHEN 'webhook_events' THEN 62 ELSE 30 END);
  v_name text;
BEGIN
  IF p_table NOT IN ('webhook_events', 'webhook_finished_deliveries') THEN
    RAISE insufficient_privilege USING MESSAGE = format('%s has no partitions by day', p_table);
  END IF;
  FOR v_name IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = to_regclass('public.' || p_table) AND c.relname ~ '_\d{8}$'
      AND c.relname < p_table || to_char(v_oldest, '_YYYYMMDD')
  LOOP
    EXECUTE format('ALTER TABLE public.%I DETACH PARTITION public.%I', p_table, v_name);
  END LOOP;
  FOR v_name IN
    SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
      AND c.relname ~ ('^' || p_table || '_\d{8}$') ORDER BY 1
  LOOP
    -- Rights of a partition are its table's, and each migration takes all others away.
    IF NOT has_table_privilege(session_user, format('public.%I', v_name), 'SELECT') THEN
      EXECUTE format('GRANT SELECT ON public.%I TO %I', v_name, session_user);
    END IF;
    RETURN NEXT v_name;
  END LOOP;
END;
$$;
