-- Invariant: the saga is locked before the order is looked at.
-- For a request that meets an order whose driver is gone: its lease lapsed, or it waits for a service while
-- Pending. A Processing order that waits for its poll is left to the poller.
CREATE OR REPLACE FUNCTION take_lapsed_saga(p_order uuid, p_owner text, p_lease_ms integer) RETURNS SETOF sagas LANGUAGE plpgsql AS $$
DECLARE
  saga sagas;
BEGIN
  SELECT * INTO saga FROM sagas WHERE order_id = p_order FOR NO KEY UPDATE;
  IF saga.state = 'Active' AND (saga.lease_until <= clock_timestamp()
    OR (saga.lease_until IS NULL AND EXISTS (SELECT FROM orders WHERE id = p_order AND status = 'Pending'))) THEN
    RETURN QUERY SELECT * FROM grant_lease(p_order, p_owner, p_lease_ms);
  END IF;
END
$$;
