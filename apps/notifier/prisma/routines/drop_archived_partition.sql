-- Invariant: a day that is to be archived goes in the transaction that records its object, and never before.
-- Runs as the owner (docs/platform/database-roles.md), so it takes nothing but a detached day of one of two tables that is recorded.
CREATE OR REPLACE FUNCTION drop_archived_partition(p_table text, p_day date) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  v_name text := p_table || to_char(p_day, '_YYYYMMDD');
BEGIN
  IF p_table NOT IN ('webhook_events', 'webhook_finished_deliveries')
      OR NOT EXISTS (SELECT FROM public.archives a WHERE a.table_name = p_table AND a.day = p_day)
      OR (SELECT c.relispartition FROM pg_class c WHERE c.oid = to_regclass('public.' || v_name)) THEN
    RAISE insufficient_privilege USING MESSAGE = format('%s of %s is not archived', p_table, p_day);
  END IF;
  -- Whoever comes second finds nothing to drop, and records nothing.
  EXECUTE format('DROP TABLE public.%I', v_name);
END;
$$;
