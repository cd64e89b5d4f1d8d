-- Scent orders: lines, fulfillment groups and return requests (spec §7, §8). What the partner asked for stays in
-- orders.request; what the checkout made of it is written once, with the step that learned it.

ALTER TABLE orders DROP CONSTRAINT orders_amount_check;
-- A scent order's amount is what it is charged with VAT: nothing before it is priced, or when a discount took all.
ALTER TABLE orders ADD CONSTRAINT orders_amount_check CHECK (amount > 0 OR (product = 'Scent' AND amount >= 0));
ALTER TABLE orders ALTER COLUMN geo_scope_global_id DROP NOT NULL;
ALTER TABLE orders ADD CONSTRAINT orders_geo_scope CHECK ((product = 'Scent') = (geo_scope_global_id IS NULL));
ALTER TABLE orders ADD COLUMN customer_ref text COLLATE "C"
  GENERATED ALWAYS AS (CASE WHEN product = 'Scent' THEN request ->> 'customerRef' END) STORED;

CREATE INDEX orders_newest_of_customer ON orders (partner_id, environment, customer_ref, submitted_at DESC, id DESC)
  WHERE product = 'Scent' AND customer_ref IS NOT NULL;

-- The moves of scent orders join the others; keep it equal to MOVES in src/order/domain/order.ts, a test compares every pair.
CREATE OR REPLACE FUNCTION order_may_move(p_product text, p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_product = 'Scent' THEN (p_from, p_to) IN (
    ('Pending', 'Processing'),
    ('Processing', 'PartiallyDelivered'),
    ('Processing', 'Completed'),
    ('Processing', 'Cancelled'),
    ('PartiallyDelivered', 'Completed'),
    ('Completed', 'PartiallyReturned'),
    ('Completed', 'Returned'),
    ('PartiallyReturned', 'Returned'))
  ELSE (p_from, p_to) IN (
    ('Pending', 'Processing'),
    ('Pending', 'Cancelled'),
    ('Processing', 'Completed'),
    ('Processing', 'Failed'),
    ('Processing', 'InterventionRequired'),
    ('InterventionRequired', 'Completed'),
    ('InterventionRequired', 'Failed'),
    ('Completed', 'Reversed')) END
$$;

DROP TRIGGER orders_first_status ON orders;
CREATE TRIGGER orders_first_status BEFORE INSERT ON orders FOR EACH ROW
  WHEN (NEW.status <> 'Pending')
  EXECUTE FUNCTION refuse_order_move();

-- What a checkout settled for the whole order; amounts in SAR, without VAT unless said.
CREATE TABLE scent_orders (
  order_id uuid PRIMARY KEY REFERENCES orders ON DELETE CASCADE,
  cart_id uuid NOT NULL,
  total_amount numeric(14, 2) NOT NULL CHECK (total_amount >= 0),
  total_goods_vat numeric(14, 2) NOT NULL CHECK (total_goods_vat >= 0),
  total_commission numeric(14, 2) NOT NULL CHECK (total_commission >= 0),
  total_commission_vat numeric(14, 2) NOT NULL CHECK (total_commission_vat >= 0),
  discount_code text,
  discount_amount numeric(14, 2),
  partner_is_vat_registered boolean NOT NULL,
  partner_tax_registration_number text,
  platform_tax_registration_number text,
  -- When the charge was captured.
  tax_point timestamptz,
  CHECK ((discount_code IS NULL) = (discount_amount IS NULL))
);

-- The lines of one warehouse, shipped together.
CREATE TABLE fulfillment_groups (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES scent_orders ON DELETE CASCADE,
  source text NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'Pending' CHECK (status IN ('Pending', 'Shipped', 'Delivered', 'Cancelled')),
  shipped_at timestamptz,
  delivered_at timestamptz,
  cancelled_at timestamptz,
  CONSTRAINT fulfillment_groups_source UNIQUE (order_id, source),
  CHECK ((status = 'Delivered') = (delivered_at IS NOT NULL)),
  CHECK ((status = 'Cancelled') = (cancelled_at IS NOT NULL))
) WITH (fillfactor = 80);

-- Pending to Shipped to Delivered; Pending or Shipped to Cancelled (spec §7.3).
CREATE FUNCTION refuse_group_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'fulfillment group % cannot be % when it is %', OLD.id, NEW.status, OLD.status
    USING ERRCODE = 'check_violation', CONSTRAINT = 'fulfillment_groups_moves', TABLE = 'fulfillment_groups';
END
$$;
CREATE TRIGGER fulfillment_groups_moves BEFORE UPDATE OF status ON fulfillment_groups FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (
    ('Pending', 'Shipped'), ('Shipped', 'Delivered'), ('Pending', 'Cancelled'), ('Shipped', 'Cancelled')))
  EXECUTE FUNCTION refuse_group_move();

CREATE TABLE scent_order_lines (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES scent_orders ON DELETE CASCADE,
  position integer NOT NULL,
  group_id uuid NOT NULL REFERENCES fulfillment_groups ON DELETE CASCADE,
  variant_id uuid NOT NULL,
  sku text NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  -- Units of approved requests, and of those that wait for a decision: together never more than were bought.
  returned_quantity integer NOT NULL DEFAULT 0 CHECK (returned_quantity >= 0),
  claimed_quantity integer NOT NULL DEFAULT 0 CHECK (claimed_quantity >= 0),
  unit_amount numeric(18, 4) NOT NULL,
  line_total numeric(14, 2) NOT NULL,
  goods_vat numeric(14, 2) NOT NULL,
  commission numeric(14, 2) NOT NULL,
  commission_vat numeric(14, 2) NOT NULL,
  pricing_mode text NOT NULL CHECK (pricing_mode IN ('Live', 'Locked')),
  source text NOT NULL,
  tax_classification text NOT NULL,
  vat_rate numeric(6, 4) NOT NULL,
  CONSTRAINT scent_order_lines_position UNIQUE (order_id, position),
  CONSTRAINT scent_order_lines_returns CHECK (returned_quantity + claimed_quantity <= quantity)
) WITH (fillfactor = 80);
CREATE INDEX scent_order_lines_of_group ON scent_order_lines (group_id);

-- Writes what a checkout made of the cart, once, with the ids that its caller chose.
CREATE FUNCTION record_checkout(p_order uuid, p_checkout jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO scent_orders (order_id, cart_id, total_amount, total_goods_vat, total_commission, total_commission_vat,
    discount_code, discount_amount, partner_is_vat_registered, partner_tax_registration_number, platform_tax_registration_number)
  SELECT p_order, c."cartId", c."totalAmount", c."totalGoodsVat", c."totalCommission", c."totalCommissionVat",
    c."discountCode", c."discountAmount", c."partnerIsVatRegistered", c."partnerTaxRegistrationNumber", c."platformTaxRegistrationNumber"
  FROM jsonb_to_record(p_checkout) AS c ("cartId" uuid, "totalAmount" numeric, "totalGoodsVat" numeric, "totalCommission" numeric,
    "totalCommissionVat" numeric, "discountCode" text, "discountAmount" numeric, "partnerIsVatRegistered" boolean,
    "partnerTaxRegistrationNumber" text, "platformTaxRegistrationNumber" text);

  INSERT INTO fulfillment_groups (id, order_id, source)
  SELECT g.id, p_order, g.source FROM jsonb_to_recordset(p_checkout -> 'groups') AS g (id uuid, source text);

  INSERT INTO scent_order_lines (id, order_id, position, group_id, variant_id, sku, quantity, unit_amount, line_total,
    goods_vat, commission, commission_vat, pricing_mode, source, tax_classification, vat_rate)
  SELECT l.id, p_order, l.position, l."groupId", l."variantId", l.sku, l.quantity, l."unitAmount", l."lineTotal",
    l."goodsVat", l.commission, l."commissionVat", l."pricingMode", l.source, l."taxClassification", l."vatRate"
  FROM jsonb_to_recordset(p_checkout -> 'lines') AS l (id uuid, position integer, "groupId" uuid, "variantId" uuid, sku text,
    quantity integer, "unitAmount" numeric, "lineTotal" numeric, "goodsVat" numeric, commission numeric, "commissionVat" numeric,
    "pricingMode" text, source text, "taxClassification" text, "vatRate" numeric);
$$;

-- As before, and what a checkout made of a cart, and when its charge was captured.
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
    PERFORM outbox_append(p_topic, p_event_type, p_order::text, p_event);
  END IF;
  RETURN NEXT changed;
END
$$;
