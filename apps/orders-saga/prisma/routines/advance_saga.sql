-- Bench row: POST top-up; fence, move, journal, lease and event in one round trip.
CREATE OR REPLACE FUNCTION advance_saga(
  p_order uuid,
  p_epoch bigint,
  p_from text,
  p_to text,
  p_change jsonb,
  p_steps jsonb,
  p_next text,
  p_wake_ms integer,
  p_lane text,
  p_topic text,
  p_event_type text,
  p_event bytea,
  p_emits_processing boolean,
  p_headers jsonb
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
    amount = coalesce((p_change ->> 'amount')::numeric, amount),
    vendor_submitted_at = CASE WHEN vendor_submitted_at IS NULL AND p_steps @> '[{"step": "vendor.submit", "phase": "intent"}]'
      THEN clock_timestamp() ELSE vendor_submitted_at END,
    completed_at = CASE WHEN completed_at IS NULL AND p_to IN ('Completed', 'Failed', 'Cancelled')
      THEN clock_timestamp() ELSE completed_at END,
    next_poll_at = CASE WHEN p_to = 'Processing' AND p_next = 'Suspend'
      THEN clock_timestamp() + p_wake_ms * interval '1 millisecond' END,
    vendor_name = coalesce(p_change ->> 'vendorName', vendor_name),
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

  IF p_next <> 'Hold' OR p_emits_processing THEN
    UPDATE sagas SET
      state = CASE p_next WHEN 'Park' THEN 'Parked' WHEN 'Finish' THEN 'Finished' ELSE state END,
      lease_owner = CASE WHEN p_next = 'Hold' THEN lease_owner END,
      lease_until = CASE WHEN p_next = 'Hold' THEN lease_until END,
      wake_at = CASE p_next WHEN 'Hold' THEN wake_at
        WHEN 'Suspend' THEN clock_timestamp() + p_wake_ms * interval '1 millisecond' END,
      lane = coalesce(p_lane, lane),
      is_processing_emitted = is_processing_emitted OR p_emits_processing
    WHERE order_id = p_order;
  END IF;

  IF p_event_type IS NOT NULL THEN
    PERFORM outbox_append(p_topic, p_event_type, p_order::text, p_event, p_headers);
  END IF;
  RETURN NEXT changed;
END
$$;
