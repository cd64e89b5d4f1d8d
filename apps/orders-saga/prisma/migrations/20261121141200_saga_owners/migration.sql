-- The processes that drive sagas and hold a session lock for as long as they live. A row whose lock is free belongs to
-- a process that is gone: its leases need not be waited out. A process without a row has leases that end by time only.
CREATE TABLE saga_owners (
  owner text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE FUNCTION saga_owner_key(p_owner text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('saga_owner ' || p_owner, 0)
$$;

-- Ends the leases of an owner that is gone, so that its orders are due now, and answers how many; nothing while it
-- lives. The row goes in the same statement: an owner that was only cut off finds it missing and knows.
CREATE FUNCTION free_leases_of(p_owner text) RETURNS integer LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM saga_owners WHERE owner = p_owner AND pg_try_advisory_xact_lock_shared(saga_owner_key(p_owner))
    RETURNING owner
  ), freed AS (
    UPDATE sagas SET lease_until = clock_timestamp(), wake_at = clock_timestamp()
    FROM gone WHERE sagas.state = 'Active' AND sagas.lease_owner = gone.owner AND sagas.lease_until > clock_timestamp()
    RETURNING 1
  )
  SELECT count(*)::integer FROM freed
$$;
