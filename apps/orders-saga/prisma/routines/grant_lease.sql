-- Invariant: a lease is granted with a higher epoch.
-- Grants a lease on one saga. The saga is locked before the order is looked at, so that what is decided by the
-- order's status holds; everything that changes the order holds that lock too.
CREATE OR REPLACE FUNCTION grant_lease(p_order uuid, p_owner text, p_lease_ms integer) RETURNS SETOF sagas LANGUAGE sql AS $$
  UPDATE sagas SET
    state = 'Active',
    lease_epoch = lease_epoch + 1,
    lease_owner = p_owner,
    lease_until = clock_timestamp() + p_lease_ms * interval '1 millisecond',
    wake_at = clock_timestamp() + p_lease_ms * interval '1 millisecond',
    attempts = attempts + 1
  WHERE order_id = p_order
  RETURNING *
$$;
