-- CreateTable
CREATE TABLE "back_in_stock_registrations" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "partner_id" UUID NOT NULL,
    "environment" TEXT NOT NULL,
    "variant_id" UUID NOT NULL,
    "customer_ref" TEXT,
    "status" TEXT NOT NULL DEFAULT 'Active',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "notified_at" TIMESTAMPTZ(6),

    CONSTRAINT "back_in_stock_registrations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "back_in_stock_list_idx" ON "back_in_stock_registrations"("partner_id", "environment", "created_at" DESC, "id" DESC);

ALTER TABLE "back_in_stock_registrations"
  ADD CONSTRAINT "back_in_stock_environment" CHECK ("environment" IN ('sandbox', 'live')),
  ADD CONSTRAINT "back_in_stock_status" CHECK ("status" IN ('Active', 'Notified', 'Cancelled')),
  ADD CONSTRAINT "back_in_stock_notified" CHECK (("status" = 'Notified') = ("notified_at" IS NOT NULL)),
  ADD CONSTRAINT "back_in_stock_variant_id_fkey" FOREIGN KEY ("variant_id") REFERENCES "variants" ("id");

-- One Active registration for each variant and customer, the partner itself having none; also what a rise looks for.
CREATE UNIQUE INDEX "back_in_stock_one_active" ON "back_in_stock_registrations"
  ("variant_id", "partner_id", "environment", "customer_ref") NULLS NOT DISTINCT WHERE "status" = 'Active';

-- The kinds of protobuf field that VariantBackInStock has (a test decodes them with the generated code): numbers from 0 and
-- texts; absent values give nothing.
CREATE FUNCTION proto_varint(p_value integer) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  v_bytes bytea := '';
  v_rest  integer := p_value;
BEGIN
  WHILE v_rest > 127 LOOP
    v_bytes := v_bytes || set_byte('\x00'::bytea, 0, (v_rest & 127) | 128);
    v_rest := v_rest >> 7;
  END LOOP;
  RETURN v_bytes || set_byte('\x00'::bytea, 0, v_rest);
END $$;
CREATE FUNCTION proto_number(p_field integer, p_value integer) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(proto_varint(p_field << 3) || proto_varint(p_value), ''::bytea);
CREATE FUNCTION proto_text(p_field integer, p_value text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(proto_varint(p_field << 3 | 2) || proto_varint(octet_length(convert_to(p_value, 'UTF8')))
                  || convert_to(p_value, 'UTF8'), ''::bytea);

-- variant_stock's trigger calls this in the transaction in which a variant's available quantity rises from 0, with the stock
-- row locked: every Active registration becomes Notified, and one event is written for each (spec §6.10, §10.3).
-- Whoever registers holds the stock row too, so a registration is either seen here or made after the rise.
CREATE OR REPLACE FUNCTION scent_back_in_stock(p_variant_id uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_sku       text;
  v_available integer;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM back_in_stock_registrations WHERE variant_id = p_variant_id AND status = 'Active') THEN
    RETURN;
  END IF;
  SELECT t.sku, t.on_hand - t.reserved INTO v_sku, v_available FROM variant_stock t WHERE t.variant_id = p_variant_id;
  WITH notified AS (
    UPDATE back_in_stock_registrations SET status = 'Notified', notified_at = clock_timestamp()
    WHERE variant_id = p_variant_id AND status = 'Active' RETURNING *
  ), numbered AS (
    SELECT n.*, row_number() OVER (ORDER BY n.created_at, n.id) AS position, count(*) OVER () AS total FROM notified n
  ), given AS (
    INSERT INTO outbox_aggregate AS a (aggregate_id, last_seq)
    SELECT p_variant_id::text, count(*) FROM notified
    ON CONFLICT (aggregate_id) DO UPDATE SET last_seq = a.last_seq + excluded.last_seq
    RETURNING a.last_seq
  )
  INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload)
  SELECT uuidv7(), 'reseller.scent.registration.v1', 'reseller.scent.v1.VariantBackInStock', p_variant_id::text,
         given.last_seq - r.total + r.position,
         proto_text(1, r.id::text) || proto_text(2, p_variant_id::text) || proto_text(3, v_sku)
           || proto_text(4, r.partner_id::text)
           || proto_number(5, CASE r.environment WHEN 'sandbox' THEN 1 ELSE 2 END)
           || proto_text(6, r.customer_ref)
           || proto_number(7, v_available)
  FROM numbered r, given;
END $$;
