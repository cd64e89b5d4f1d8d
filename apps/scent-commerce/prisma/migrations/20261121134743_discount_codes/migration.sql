-- CreateTable
CREATE TABLE "discount_codes" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "partner_id" UUID NOT NULL,
    "environment" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "discount_type" TEXT NOT NULL,
    "value" DECIMAL(15,2) NOT NULL,
    "valid_from" TIMESTAMPTZ(3),
    "valid_to" TIMESTAMPTZ(3),
    "is_active" BOOLEAN NOT NULL,
    "total_usage_cap" INTEGER,
    "per_customer_cap" INTEGER,
    "product_scope" TEXT NOT NULL,
    "scoped_variant_ids" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
    "min_order_value" DECIMAL(15,2),
    "usage_count" INTEGER NOT NULL DEFAULT 0,
    "pending_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "last_modified_at" TIMESTAMPTZ(6),

    CONSTRAINT "discount_codes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "discount_redemptions" (
    "order_key" TEXT NOT NULL,
    "code_id" UUID NOT NULL,
    "customer_ref" TEXT,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "discount_redemptions_pkey" PRIMARY KEY ("order_key")
);

-- CreateIndex
CREATE INDEX "discount_codes_list_idx" ON "discount_codes"("partner_id", "environment", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "discount_codes_one_text" ON "discount_codes"("partner_id", "environment", "code");

-- AddForeignKey
ALTER TABLE "discount_redemptions" ADD CONSTRAINT "discount_redemptions_code_id_fkey" FOREIGN KEY ("code_id") REFERENCES "discount_codes"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What spec §6.9 asks of a code, so that nothing else can be stored whichever way it comes.
ALTER TABLE "discount_codes"
  ADD CONSTRAINT "discount_codes_environment" CHECK ("environment" IN ('sandbox', 'live')),
  ADD CONSTRAINT "discount_codes_code" CHECK ("code" ~ '^[A-Z0-9_-]{3,40}$'),
  ADD CONSTRAINT "discount_codes_value" CHECK (
    "value" > 0 AND ("discount_type" = 'FixedAmount' OR ("discount_type" = 'Percent' AND "value" <= 100))),
  ADD CONSTRAINT "discount_codes_dates" CHECK ("valid_from" <= "valid_to"),
  ADD CONSTRAINT "discount_codes_total_cap" CHECK ("total_usage_cap" >= 1),
  ADD CONSTRAINT "discount_codes_customer_cap" CHECK ("per_customer_cap" = 1),
  ADD CONSTRAINT "discount_codes_scope" CHECK (
    ("product_scope" = 'All' AND cardinality("scoped_variant_ids") = 0)
    OR ("product_scope" = 'VariantList' AND cardinality("scoped_variant_ids") BETWEEN 1 AND 500)),
  ADD CONSTRAINT "discount_codes_minimum" CHECK ("min_order_value" >= 0),
  ADD CONSTRAINT "discount_codes_counts" CHECK ("usage_count" >= 0 AND "pending_count" >= 0);
ALTER TABLE "discount_redemptions"
  ADD CONSTRAINT "discount_redemptions_state" CHECK ("state" IN ('Pending', 'Redeemed', 'GivenBack'));

-- Who a customer's cap is counted by, and what holds a code back from being deleted.
CREATE INDEX "discount_redemptions_code_idx" ON "discount_redemptions" ("code_id", "customer_ref");

-- Takes an order's slot of a code's caps in the caller's transaction. Everything is judged under the code's row lock, which
-- lasts to the end of that transaction, by statements that began after the lock was had: a cap of N admits exactly N.
-- Answers Taken (also to a repetition of the same order), Ended for an order that used its slot up, or the reason against it.
CREATE FUNCTION discount_take_slot(p_order_key text, p_code_id uuid, p_customer_ref text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c discount_codes%ROWTYPE;
  r discount_redemptions%ROWTYPE;
BEGIN
  SELECT * INTO c FROM discount_codes WHERE id = p_code_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN 'Unknown';
  END IF;
  SELECT * INTO r FROM discount_redemptions WHERE order_key = p_order_key;
  IF FOUND THEN
    RETURN CASE WHEN (r.code_id, r.customer_ref) IS NOT DISTINCT FROM (p_code_id, p_customer_ref)
                     AND r.state <> 'GivenBack' THEN 'Taken' ELSE 'Ended' END;
  END IF;
  IF c.usage_count + c.pending_count >= c.total_usage_cap THEN
    RETURN 'UsageCapReached';
  END IF;
  IF c.per_customer_cap IS NOT NULL AND p_customer_ref IS NULL THEN
    RETURN 'CustomerRefRequired';
  END IF;
  IF c.per_customer_cap <= (SELECT count(*) FROM discount_redemptions d
                            WHERE d.code_id = p_code_id AND d.customer_ref = p_customer_ref AND d.state <> 'GivenBack') THEN
    RETURN 'CustomerCapReached';
  END IF;
  INSERT INTO discount_redemptions (order_key, code_id, customer_ref, state)
  VALUES (p_order_key, p_code_id, p_customer_ref, 'Pending');
  UPDATE discount_codes SET pending_count = pending_count + 1 WHERE id = p_code_id;
  RETURN 'Taken';
END $$;

-- Moves an order's redemption on: Pending to Redeemed (it counts) or Freed (the row goes), Redeemed to GivenBack (it
-- counts no longer). Answers Done, also when that was done before or the order used no code, or State for another move.
-- Locks the code before the redemption, as discount_take_slot does.
CREATE FUNCTION discount_settle(p_order_key text, p_to text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_code_id uuid;
  v_state   text;
BEGIN
  SELECT code_id INTO v_code_id FROM discount_redemptions WHERE order_key = p_order_key;
  PERFORM 1 FROM discount_codes WHERE id = v_code_id FOR NO KEY UPDATE;
  SELECT state INTO v_state FROM discount_redemptions WHERE order_key = p_order_key;
  IF v_state IS NULL OR v_state = p_to THEN
    RETURN 'Done';
  ELSIF v_state = 'Pending' AND p_to = 'Redeemed' THEN
    UPDATE discount_codes SET pending_count = pending_count - 1, usage_count = usage_count + 1 WHERE id = v_code_id;
  ELSIF v_state = 'Pending' AND p_to = 'Freed' THEN
    UPDATE discount_codes SET pending_count = pending_count - 1 WHERE id = v_code_id;
    DELETE FROM discount_redemptions WHERE order_key = p_order_key;
    RETURN 'Done';
  ELSIF v_state = 'Redeemed' AND p_to = 'GivenBack' THEN
    UPDATE discount_codes SET usage_count = usage_count - 1 WHERE id = v_code_id;
  ELSE
    RETURN 'State';
  END IF;
  UPDATE discount_redemptions SET state = p_to, changed_at = clock_timestamp() WHERE order_key = p_order_key;
  RETURN 'Done';
END $$;
