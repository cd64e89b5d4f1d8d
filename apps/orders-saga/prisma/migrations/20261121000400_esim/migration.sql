-- The eSIM plans on offer; reference data, changed by migrations only. A withdrawn one stays, inactive.
CREATE TABLE esim_products (
  sku text COLLATE "C" PRIMARY KEY CHECK (length(sku) BETWEEN 1 AND 100),
  name text COLLATE "C" NOT NULL,
  geo_scope_global_id text NOT NULL REFERENCES geo_scopes,
  -- In GB.
  data_allowance numeric(9, 3) NOT NULL CHECK (data_allowance > 0),
  validity_days integer NOT NULL CHECK (validity_days > 0),
  amount numeric(14, 2) NOT NULL CHECK (amount > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  is_active boolean NOT NULL
);

CREATE INDEX esim_products_by_name ON esim_products (name, sku);

INSERT INTO esim_products VALUES
  ('ESIM-EG-1GB-7D', 'Egypt 1 GB, 7 days', 'GEO-EG', 1, 7, 15.00, 'SAR', true),
  ('ESIM-EG-2.5GB-15D', 'Egypt 2.5 GB, 15 days', 'GEO-EG', 2.5, 15, 29.50, 'SAR', true),
  ('ESIM-EG-5GB-30D', 'Egypt 5 GB, 30 days', 'GEO-EG', 5, 30, 49.00, 'SAR', true),
  ('ESIM-SA-1GB-7D', 'Saudi Arabia 1 GB, 7 days', 'GEO-SA', 1, 7, 19.00, 'SAR', true),
  ('ESIM-SA-20GB-30D', 'Saudi Arabia 20 GB, 30 days', 'GEO-SA', 20, 30, 149.00, 'SAR', true),
  ('ESIM-SA-5GB-30D', 'Saudi Arabia 5 GB, 30 days', 'GEO-SA', 5, 30, 59.00, 'SAR', true),
  ('ESIM-UAE-1GB-7D', 'United Arab Emirates 1 GB, 7 days', 'GEO-AE', 1, 7, 22.00, 'SAR', true),
  ('ESIM-UAE-3GB-15D', 'United Arab Emirates 3 GB, 15 days', 'GEO-AE', 3, 15, 45.75, 'SAR', true),
  ('ESIM-UAE-5GB-30D', 'United Arab Emirates 5 GB, 30 days', 'GEO-AE', 5, 30, 69.00, 'SAR', true),
  ('ESIM-UAE-9GB-30D', 'United Arab Emirates 9 GB, 30 days', 'GEO-AE', 9, 30, 99.00, 'SAR', false);

-- What only an eSIM order has: the plan as it was when ordered, and what turns the eSIM on, which nobody sees before
-- the charge is durable (spec §4.8).
ALTER TABLE orders
  ADD COLUMN product_sku text,
  ADD COLUMN email text,
  ADD COLUMN data_allowance numeric(9, 3),
  ADD COLUMN validity_days integer,
  ADD COLUMN esim_iccid text,
  ADD COLUMN esim_qr_code text,
  ADD COLUMN esim_activation_code text,
  ADD COLUMN esim_plan_details text,
  ADD CONSTRAINT orders_esim_plan CHECK (
    num_nonnulls(product_sku, email, data_allowance, validity_days) = CASE product WHEN 'Esim' THEN 4 ELSE 0 END),
  ADD CONSTRAINT orders_esim_activation CHECK (
    num_nonnulls(esim_iccid, esim_qr_code, esim_activation_code, esim_plan_details) = 0
    OR (product = 'Esim' AND status IN ('Completed', 'Reversed')));

-- As before, and an eSIM's activation data with its completion.
CREATE OR REPLACE FUNCTION advance_saga(
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
