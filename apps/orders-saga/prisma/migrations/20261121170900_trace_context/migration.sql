-- What an event tells of is followed through its headers: the trace and the request that it comes from.

-- Appends one event in the caller's transaction and answers its id. Without headers of its own it has those of the
-- transaction (reseller.headers), which is how triggers pass on what they never see.
-- safe: old callers may have it, it does the same for whoever sets nothing
CREATE OR REPLACE FUNCTION outbox_append(
  p_topic text,
  p_type text,
  p_aggregate_id text,
  p_payload bytea,
  p_headers jsonb DEFAULT '{}',
  p_event_id uuid DEFAULT NULL
) RETURNS uuid LANGUAGE sql AS $$
  WITH next AS (
    INSERT INTO outbox_aggregate AS a (aggregate_id, last_seq) VALUES (p_aggregate_id, 1)
    ON CONFLICT (aggregate_id) DO UPDATE SET last_seq = a.last_seq + 1
    RETURNING a.last_seq
  )
  INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, headers, occurred_at)
  SELECT coalesce(p_event_id, uuidv7()), p_topic, p_type, p_aggregate_id, next.last_seq, p_payload,
         CASE WHEN coalesce(p_headers, '{}') <> '{}' THEN p_headers
              ELSE coalesce(nullif(current_setting('reseller.headers', true), ''), '{}')::jsonb END,
         clock_timestamp()
  FROM next
  RETURNING event_id;
$$;

-- The trace and the request in which an order or a task began: whoever carries it on, hours later and elsewhere, goes on
-- with them.
ALTER TABLE sagas ADD COLUMN origin jsonb;
ALTER TABLE order_tasks ADD COLUMN origin jsonb;

-- As advance_saga, which the version before goes on calling, with the headers of the move's event: several orders share
-- a statement, and each has its own.
CREATE FUNCTION advance_saga_in_trace(
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
  p_announces boolean,
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
    amount = coalesce((p_change #>> '{checkout,totalAmountWithVat}')::numeric, amount),
    vendor_asked_at = CASE WHEN p_from = 'Pending' AND p_to = 'Processing' AND product <> 'Scent' THEN clock_timestamp() ELSE vendor_asked_at END,
    completed_at = CASE WHEN completed_at IS NULL AND p_to IN ('Completed', 'Failed', 'Cancelled')
      THEN clock_timestamp() ELSE completed_at END,
    next_poll_at = CASE WHEN p_to = 'Processing' AND p_next = 'LetGo'
      THEN clock_timestamp() + p_wake_ms * interval '1 millisecond' END,
    vendor_name = coalesce(p_change ->> 'vendorName', vendor_name),
    vendor_order_id = coalesce(p_change ->> 'vendorOrderId', vendor_order_id),
    error_message = coalesce(p_change ->> 'errorMessage', error_message),
    failure_code = coalesce(p_change ->> 'failureCode', failure_code),
    status_description = CASE WHEN p_change ? 'statusDescription'
      THEN p_change ->> 'statusDescription' ELSE status_description END,
    current_retry_count = coalesce((p_change ->> 'currentRetryCount')::integer, current_retry_count),
    esim_iccid = coalesce(p_change #>> '{activation,iccid}', esim_iccid),
    esim_qr_code = coalesce(p_change #>> '{activation,qrCode}', esim_qr_code),
    esim_activation_code = coalesce(p_change #>> '{activation,activationCode}', esim_activation_code),
    esim_plan_details = coalesce(p_change #>> '{activation,planDetails}', esim_plan_details)
  WHERE id = p_order AND status = p_from
  RETURNING * INTO changed;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  IF p_change ? 'checkout' THEN
    PERFORM record_checkout(p_order, p_change -> 'checkout');
  END IF;
  IF p_change ? 'taxPoint' THEN
    UPDATE scent_orders SET tax_point = (p_change ->> 'taxPoint')::timestamptz WHERE order_id = p_order;
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
    PERFORM outbox_append(p_topic, p_event_type, p_order::text, p_event, p_headers);
  END IF;
  RETURN NEXT changed;
END
$$;
