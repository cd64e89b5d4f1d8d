-- Invariant: an owner is taken off the record in the statement that frees its leases.
-- As before, and the tasks of a process that is gone are due at once too.
CREATE OR REPLACE FUNCTION free_leases_of(p_owner text) RETURNS integer LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM saga_owners WHERE owner = p_owner AND pg_try_advisory_xact_lock_shared(saga_owner_key(p_owner))
    RETURNING owner
  ), freed AS (
    UPDATE sagas SET lease_until = clock_timestamp(), wake_at = clock_timestamp()
    FROM gone WHERE sagas.state = 'Active' AND sagas.lease_owner = gone.owner AND sagas.lease_until > clock_timestamp()
    RETURNING 1
  ), tasks AS (
    UPDATE order_tasks SET lease_owner = NULL, lease_until = NULL, next_at = clock_timestamp()
    FROM gone WHERE order_tasks.state = 'Open' AND order_tasks.lease_owner = gone.owner
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM freed)::integer + (SELECT count(*) FROM tasks)::integer
$$;
