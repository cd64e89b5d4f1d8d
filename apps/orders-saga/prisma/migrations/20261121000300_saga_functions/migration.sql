-- The one write of a running saga, in one round trip: the fence, the order's change, the journal, who goes on
-- and when, and the event. Answers the order as it stands now, or nothing when the caller's lease was lost.
CREATE FUNCTION advance_saga(
  p_order uuid,
  p_epoch bigint,
  p_from text,
  p_to text,
  p_change jsonb,
  p_steps jsonb,
  p_next text,
  p_wake_ms integer,
  p_topic text,
  p_event_type text,
  p_event bytea,
  p_announces boolean
) RETURNS SETOF orders LANGUAGE plpgsql AS $$
DECLARE
  changed orders;
BEGIN
  -- A process that was paused past its lease meets another epoch here and changes nothing.
  PERFORM 1 FROM sagas WHERE order_id = p_order AND lease_epoch = p_epoch AND state = 'Active' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  UPDATE orders SET
    status = p_to,
    vendor_asked_at = CASE WHEN p_from = 'Pending' AND p_to = 'Processing' THEN clock_timestamp() ELSE vendor_asked_at END,
    completed_at = CASE WHEN completed_at IS NULL AND p_to IN ('Completed', 'Failed', 'Cancelled')
      THEN clock_timestamp() ELSE completed_at END,
    next_poll_at = CASE WHEN p_to = 'Processing' AND p_next = 'LetGo'
      THEN clock_timestamp() + p_wake_ms * interval '1 millisecond' END,
    vendor_order_id = coalesce(p_change ->> 'vendorOrderId', vendor_order_id),
    error_message = coalesce(p_change ->> 'errorMessage', error_message),
    failure_code = coalesce(p_change ->> 'failureCode', failure_code),
    status_description = CASE WHEN p_change ? 'statusDescription'
      THEN p_change ->> 'statusDescription' ELSE status_description END,
    current_retry_count = coalesce((p_change ->> 'currentRetryCount')::integer, current_retry_count)
  WHERE id = p_order AND status = p_from
  RETURNING * INTO changed;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  INSERT INTO saga_steps (order_id, step, attempt, phase, outcome, details)
  SELECT p_order, s.step, s.attempt, s.phase, s.outcome, s.details
  FROM jsonb_to_recordset(p_steps) AS s (step text, attempt integer, phase text, outcome text, details jsonb);

  IF p_next <> 'Hold' OR p_announces THEN
    UPDATE sagas SET
      state = CASE p_next WHEN 'Park' THEN 'Parked' WHEN 'Finish' THEN 'Finished' ELSE state END,
      lease_owner = CASE WHEN p_next = 'Hold' THEN lease_owner END,
      lease_until = CASE WHEN p_next = 'Hold' THEN lease_until END,
      wake_at = CASE p_next WHEN 'Hold' THEN wake_at
        WHEN 'LetGo' THEN clock_timestamp() + p_wake_ms * interval '1 millisecond' END,
      is_announced = is_announced OR p_announces
    WHERE order_id = p_order;
  END IF;

  IF p_event_type IS NOT NULL THEN
    PERFORM outbox_append(p_topic, p_event_type, p_order::text, p_event);
  END IF;
  RETURN NEXT changed;
END
$$;

-- Takes back an order that was refused before any vendor was asked: no trace is left and its reference is free
-- (spec §4.2). Answers whether it was there to be withdrawn under this lease.
CREATE FUNCTION withdraw_order(p_order uuid, p_epoch bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM sagas WHERE order_id = p_order AND lease_epoch = p_epoch AND state = 'Active' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM orders WHERE id = p_order AND status = 'Pending';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM saga_steps WHERE order_id = p_order;
  DELETE FROM sagas WHERE order_id = p_order;
  RETURN true;
END
$$;

-- Grants a lease on one saga. The saga is locked before the order is looked at, so that what is decided by the
-- order's status holds; everything that changes the order holds that lock too.
CREATE FUNCTION grant_lease(p_order uuid, p_owner text, p_lease_ms integer) RETURNS SETOF sagas LANGUAGE sql AS $$
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

-- For a request that meets an order whose driver is gone: its lease lapsed, or it waits for a service while
-- Pending. A Processing order that waits for its poll is left to the poller.
CREATE FUNCTION take_lapsed_saga(p_order uuid, p_owner text, p_lease_ms integer) RETURNS SETOF sagas LANGUAGE plpgsql AS $$
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

-- For an operator's decision, from whoever has the order: if it still has this status and no such decision, save
-- one that could not be carried out.
CREATE FUNCTION take_saga_for_operator(
  p_order uuid, p_status text, p_decision text, p_owner text, p_lease_ms integer
) RETURNS SETOF sagas LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM sagas WHERE order_id = p_order FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM orders WHERE id = p_order AND status = p_status)
    AND NOT EXISTS (SELECT FROM saga_steps i WHERE i.order_id = p_order AND i.step = p_decision AND i.phase = 'intent'
      AND NOT EXISTS (SELECT FROM saga_steps r WHERE r.order_id = i.order_id AND r.step = i.step
        AND r.attempt = i.attempt AND r.phase = 'result' AND r.outcome = 'Failed')) THEN
    RETURN QUERY SELECT * FROM grant_lease(p_order, p_owner, p_lease_ms);
  END IF;
END
$$;
