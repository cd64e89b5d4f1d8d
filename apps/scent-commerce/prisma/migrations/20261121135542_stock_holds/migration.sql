-- CreateTable
CREATE TABLE "stock_holds" (
    "order_key" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "ended_at" TIMESTAMPTZ(6),

    CONSTRAINT "stock_holds_pkey" PRIMARY KEY ("order_key")
);

-- CreateTable
CREATE TABLE "stock_reservations" (
    "order_key" TEXT NOT NULL,
    "variant_id" UUID NOT NULL,
    "quantity" INTEGER NOT NULL,
    "restocked" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "stock_reservations_pkey" PRIMARY KEY ("order_key","variant_id")
);

-- CreateTable
CREATE TABLE "stock_returns" (
    "order_key" TEXT NOT NULL,
    "return_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "stock_returns_pkey" PRIMARY KEY ("order_key","return_key")
);

-- AddForeignKey
ALTER TABLE "stock_reservations" ADD CONSTRAINT "stock_reservations_order_key_fkey" FOREIGN KEY ("order_key") REFERENCES "stock_holds"("order_key") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stock_returns" ADD CONSTRAINT "stock_returns_order_key_fkey" FOREIGN KEY ("order_key") REFERENCES "stock_holds"("order_key") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "stock_holds"
  ADD CONSTRAINT "stock_holds_state" CHECK ("state" IN ('Active', 'Taken', 'Released')),
  ADD CONSTRAINT "stock_holds_end" CHECK (("state" = 'Active') = ("ended_at" IS NULL));
ALTER TABLE "stock_reservations"
  ADD CONSTRAINT "stock_reservations_quantity" CHECK ("quantity" > 0),
  ADD CONSTRAINT "stock_reservations_restocked" CHECK ("restocked" BETWEEN 0 AND "quantity"),
  ADD CONSTRAINT "stock_reservations_variant_id_fkey" FOREIGN KEY ("variant_id") REFERENCES "variants" ("id");

-- What may lapse; nearly always empty, since running orders hold for ever.
CREATE INDEX "stock_holds_expiry_idx" ON "stock_holds" ("expires_at") WHERE "state" = 'Active' AND "expires_at" < 'infinity';

-- Every function below locks the hold first, then the stock of all its variants in the order of their ids: whoever needs
-- the same variants queues, and nobody waits in a circle. A rise from 0 is noticed by variant_stock's own triggers.

-- Holds the stock rows of these variants to the end of the transaction.
CREATE FUNCTION stock_lock(p_variant_ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM variant_stock WHERE variant_id = ANY (p_variant_ids) ORDER BY variant_id FOR NO KEY UPDATE;
END $$;

-- Ends holds that the caller has locked, with the stock of their variants; their units can be had again.
CREATE FUNCTION stock_free(p_order_keys text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE variant_stock t SET reserved = t.reserved - r.units
  FROM (SELECT variant_id, sum(quantity)::int AS units FROM stock_reservations
        WHERE order_key = ANY (p_order_keys) GROUP BY variant_id) r
  WHERE t.variant_id = r.variant_id;
  UPDATE stock_holds SET state = 'Released', ended_at = clock_timestamp() WHERE order_key = ANY (p_order_keys);
END $$;

-- Sets all lines of an order aside or none. Answers one row: Reserved (also to a repetition with the same lines), Ended for
-- an order that was released before, Reused for one that holds other lines; or a row Short for each line that cannot be
-- had, with what is available of it. What has lapsed is freed on the way, on the database's clock.
CREATE FUNCTION stock_reserve(p_order_key text, p_variant_ids uuid[], p_quantities integer[], p_ttl interval)
RETURNS TABLE (outcome text, variant_id uuid, available integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_state  text;
  v_lapsed text[];
BEGIN
  INSERT INTO stock_holds (order_key, state, expires_at)
  VALUES (p_order_key, 'Active', coalesce(clock_timestamp() + p_ttl, 'infinity')) ON CONFLICT (order_key) DO NOTHING;
  IF NOT FOUND THEN
    SELECT state INTO v_state FROM stock_holds WHERE order_key = p_order_key FOR UPDATE;
    outcome := CASE
      WHEN v_state = 'Released' THEN 'Ended'
      WHEN EXISTS (SELECT 1 FROM unnest(p_variant_ids, p_quantities) AS w (id, quantity)
                   FULL JOIN (SELECT r.variant_id, r.quantity FROM stock_reservations r WHERE r.order_key = p_order_key) r
                     ON r.variant_id = w.id
                   WHERE r.quantity IS DISTINCT FROM w.quantity) THEN 'Reused'
      ELSE 'Reserved' END;
    RETURN NEXT;
    RETURN;
  END IF;

  SELECT array_agg(l.order_key) INTO v_lapsed
  FROM (SELECT h.order_key FROM stock_holds h
        WHERE h.state = 'Active' AND h.expires_at < 'infinity' AND h.expires_at <= clock_timestamp()
          AND h.order_key <> p_order_key
        ORDER BY h.expires_at LIMIT 100 FOR UPDATE SKIP LOCKED) l;
  PERFORM stock_lock(p_variant_ids || ARRAY(
    SELECT r.variant_id FROM stock_reservations r WHERE r.order_key = ANY (v_lapsed)));
  IF v_lapsed IS NOT NULL THEN
    PERFORM stock_free(v_lapsed);
  END IF;

  -- A new statement sees what those before us in the queue have left.
  RETURN QUERY
    SELECT 'Short', w.id, coalesce(CASE WHEN t.is_active THEN t.on_hand - t.reserved END, 0)
    FROM unnest(p_variant_ids, p_quantities) WITH ORDINALITY AS w (id, quantity, position)
    LEFT JOIN variant_stock t ON t.variant_id = w.id
    WHERE coalesce(CASE WHEN t.is_active THEN t.on_hand - t.reserved END, 0) < w.quantity
    ORDER BY w.position;
  IF FOUND THEN
    DELETE FROM stock_holds WHERE order_key = p_order_key;
    RETURN;
  END IF;
  INSERT INTO stock_reservations (order_key, variant_id, quantity)
  SELECT p_order_key, w.id, w.quantity FROM unnest(p_variant_ids, p_quantities) AS w (id, quantity);
  UPDATE variant_stock t SET reserved = t.reserved + w.quantity
  FROM unnest(p_variant_ids, p_quantities) AS w (id, quantity) WHERE t.variant_id = w.id;
  RETURN QUERY SELECT 'Reserved', NULL::uuid, NULL::integer;
END $$;

-- Makes a hold last until its order's outcome. Answers Done, or State when it has ended or never was.
CREATE FUNCTION stock_pin(p_order_key text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stock_holds SET expires_at = 'infinity' WHERE order_key = p_order_key AND state = 'Active';
  RETURN CASE WHEN FOUND THEN 'Done' ELSE 'State' END;
END $$;

-- Frees an order's units, or bars a later reserve under its key. Answers Done, or State when they were taken.
CREATE FUNCTION stock_release(p_order_key text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_state text;
BEGIN
  INSERT INTO stock_holds (order_key, state, expires_at, ended_at)
  VALUES (p_order_key, 'Released', 'infinity', clock_timestamp()) ON CONFLICT (order_key) DO NOTHING;
  SELECT state INTO v_state FROM stock_holds WHERE order_key = p_order_key FOR UPDATE;
  IF v_state = 'Active' THEN
    PERFORM stock_lock(ARRAY(SELECT variant_id FROM stock_reservations WHERE order_key = p_order_key));
    PERFORM stock_free(ARRAY[p_order_key]);
  END IF;
  RETURN CASE WHEN v_state = 'Taken' THEN 'State' ELSE 'Done' END;
END $$;

-- Takes an order's units out of the stock and counts them as sold. Answers Done, also to a repetition, or State when the
-- hold was released or never was.
CREATE FUNCTION stock_take(p_order_key text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_state text;
BEGIN
  SELECT state INTO v_state FROM stock_holds WHERE order_key = p_order_key FOR UPDATE;
  IF v_state = 'Active' THEN
    PERFORM stock_lock(ARRAY(SELECT variant_id FROM stock_reservations WHERE order_key = p_order_key));
    UPDATE variant_stock t SET on_hand = t.on_hand - r.quantity, reserved = t.reserved - r.quantity
    FROM stock_reservations r WHERE r.order_key = p_order_key AND t.variant_id = r.variant_id;
    UPDATE stock_holds SET state = 'Taken', ended_at = clock_timestamp() WHERE order_key = p_order_key;
    PERFORM scent_count_sale(r.variant_id, r.quantity) FROM stock_reservations r WHERE r.order_key = p_order_key;
    RETURN 'Done';
  END IF;
  RETURN CASE WHEN v_state = 'Taken' THEN 'Done' ELSE 'State' END;
END $$;

-- Puts units of a taken order back on hand, once for each return key. Answers Done, also to a repetition, or State when the
-- order was not taken or fewer of its units are still out.
CREATE FUNCTION stock_restock(p_order_key text, p_return_key text, p_variant_ids uuid[], p_quantities integer[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_state text;
BEGIN
  SELECT state INTO v_state FROM stock_holds WHERE order_key = p_order_key FOR UPDATE;
  IF v_state IS DISTINCT FROM 'Taken' THEN
    RETURN 'State';
  END IF;
  IF EXISTS (SELECT 1 FROM stock_returns WHERE return_key = p_return_key AND order_key = p_order_key) THEN
    RETURN 'Done';
  END IF;
  IF EXISTS (SELECT 1 FROM unnest(p_variant_ids, p_quantities) AS w (id, quantity)
             LEFT JOIN stock_reservations r ON r.order_key = p_order_key AND r.variant_id = w.id
             WHERE w.quantity < 1 OR coalesce(r.quantity - r.restocked, 0) < w.quantity) THEN
    RETURN 'State';
  END IF;
  INSERT INTO stock_returns (return_key, order_key) VALUES (p_return_key, p_order_key);
  UPDATE stock_reservations r SET restocked = r.restocked + w.quantity
  FROM unnest(p_variant_ids, p_quantities) AS w (id, quantity)
  WHERE r.order_key = p_order_key AND r.variant_id = w.id;
  PERFORM stock_lock(p_variant_ids);
  UPDATE variant_stock t SET on_hand = t.on_hand + w.quantity
  FROM unnest(p_variant_ids, p_quantities) AS w (id, quantity) WHERE t.variant_id = w.id;
  RETURN 'Done';
END $$;

-- Frees up to so many holds that have lapsed, and answers how many it was.
CREATE FUNCTION stock_release_lapsed(p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_lapsed text[];
BEGIN
  SELECT array_agg(l.order_key) INTO v_lapsed
  FROM (SELECT h.order_key FROM stock_holds h
        WHERE h.state = 'Active' AND h.expires_at < 'infinity' AND h.expires_at <= clock_timestamp()
        ORDER BY h.expires_at LIMIT p_limit FOR UPDATE SKIP LOCKED) l;
  IF v_lapsed IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM stock_lock(ARRAY(SELECT variant_id FROM stock_reservations WHERE order_key = ANY (v_lapsed)));
  PERFORM stock_free(v_lapsed);
  RETURN cardinality(v_lapsed);
END $$;
