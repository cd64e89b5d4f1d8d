-- Carts, price locks and checkouts (spec §6, §7.2). cart_do is the one door to a cart's lines: it takes the cart's row
-- lock first, so what it counts under it stays true, and answers the cart with everything needed to price it.

CREATE TABLE carts (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  partner_id uuid NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  -- Null for the partner's bare cart; compared exactly (spec §6.1).
  customer_ref text COLLATE "C" CHECK (char_length(customer_ref) BETWEEN 1 AND 128),
  status text COLLATE "C" NOT NULL DEFAULT 'Open' CHECK (status IN ('Open', 'CheckedOut', 'Abandoned')),
  -- Counts the changes of the lines and never goes back: a price lock is good for one version.
  version bigint NOT NULL DEFAULT 0,
  line_count integer NOT NULL DEFAULT 0 CHECK (line_count BETWEEN 0 AND 100),
  -- The order that holds the cart. While it is Open nobody else may change it (spec §6.4).
  order_key text COLLATE "C",
  touched_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- What the idle job looks by: it changes once a day, so that most changes of a cart leave its indexes alone.
  touched_on date NOT NULL GENERATED ALWAYS AS ((touched_at AT TIME ZONE 'UTC')::date) STORED,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (status <> 'CheckedOut' OR order_key IS NOT NULL),
  CHECK (status <> 'Abandoned' OR order_key IS NULL)
) WITH (fillfactor = 60);

-- One Open cart for each customer, and one without (spec §6.1).
CREATE UNIQUE INDEX carts_one_open ON carts (partner_id, environment, customer_ref) NULLS NOT DISTINCT WHERE status = 'Open';
CREATE UNIQUE INDEX carts_order_key ON carts (order_key) WHERE order_key IS NOT NULL;
CREATE INDEX carts_idle ON carts (touched_on) WHERE status = 'Open' AND order_key IS NULL;

CREATE TABLE cart_lines (
  cart_id uuid NOT NULL REFERENCES carts (id),
  variant_id uuid NOT NULL REFERENCES variants (id),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 999),
  -- The cart's version that brought the line: lines stand in the order in which they came, without ties.
  position bigint NOT NULL,
  added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (cart_id, variant_id)
) WITH (fillfactor = 60);

-- Frozen prices of one version of a cart (spec §6.5).
CREATE TABLE price_locks (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  partner_id uuid NOT NULL,
  environment text COLLATE "C" NOT NULL,
  cart_id uuid NOT NULL REFERENCES carts (id),
  cart_version bigint NOT NULL,
  -- The lines as they were priced, and the discount: see lock/domain/locked-pricing.ts.
  pricing jsonb NOT NULL,
  -- Not a foreign key: a code that is deleted meanwhile is Unknown at the order.
  discount_code_id uuid,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  -- The order that used it; a lock serves once.
  spent_by text COLLATE "C" UNIQUE
);
CREATE INDEX price_locks_expired ON price_locks (expires_at);

-- What cart_do and quote_lines answer: one row for each line, or one without a line for an empty cart.
CREATE TYPE priced_row AS (
  outcome text,
  cart_id uuid,
  cart_version bigint,
  cart_order_key text,
  priced_at timestamptz,
  partner_commission_rate numeric,
  partner_is_vat_registered boolean,
  partner_tax_registration_number text,
  partner_display_currency text,
  partner_marketing_enabled boolean,
  variant_id uuid,
  quantity integer,
  sku text,
  size_ml integer,
  scent_name text,
  warehouse_code text,
  list_price numeric,
  catalog_price numeric,
  cost numeric,
  rrp numeric,
  tax_classification text,
  brand_commission_rate numeric,
  is_active boolean,
  available integer,
  first_offered_at timestamptz,
  lowered_from numeric,
  lowered_at timestamptz,
  restocked_at timestamptz,
  is_best_seller boolean,
  has_available_sample boolean
);

-- Whether a cart lay idle too long (spec §6.4); one that an order holds never does.
CREATE FUNCTION cart_is_idle(c carts, p_idle_ms bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT c.order_key IS NULL AND c.touched_at <= statement_timestamp() - p_idle_ms * interval '1 millisecond'
$$;

-- The Open cart of a customer as it is, or null; a plain read.
CREATE FUNCTION cart_find(p_partner_id uuid, p_environment text, p_customer_ref text) RETURNS carts
LANGUAGE plpgsql STABLE AS $$
DECLARE
  c carts;
BEGIN
  -- Two branches: no index serves IS NOT DISTINCT FROM.
  IF p_customer_ref IS NULL THEN
    SELECT * INTO c FROM carts WHERE partner_id = p_partner_id AND environment = p_environment
      AND customer_ref IS NULL AND status = 'Open';
  ELSE
    SELECT * INTO c FROM carts WHERE partner_id = p_partner_id AND environment = p_environment
      AND customer_ref = p_customer_ref AND status = 'Open';
  END IF;
  RETURN c;
END $$;

-- The Open cart of a customer under its row lock, made when there is none; one that lay idle too long is abandoned here and
-- now, whether or not the job has come by.
CREATE FUNCTION cart_take(p_partner_id uuid, p_environment text, p_customer_ref text, p_idle_ms bigint)
RETURNS carts LANGUAGE plpgsql AS $$
DECLARE
  c carts;
  v_id uuid;
BEGIN
  LOOP
    SELECT (cart_find(p_partner_id, p_environment, p_customer_ref)).id INTO v_id;
    SELECT * INTO c FROM carts WHERE id = v_id AND status = 'Open' FOR NO KEY UPDATE;
    IF FOUND THEN
      IF NOT cart_is_idle(c, p_idle_ms) THEN
        RETURN c;
      END IF;
      UPDATE carts SET status = 'Abandoned' WHERE id = c.id;
    END IF;
    INSERT INTO carts (partner_id, environment, customer_ref) VALUES (p_partner_id, p_environment, p_customer_ref)
    ON CONFLICT (partner_id, environment, customer_ref) WHERE status = 'Open' DO NOTHING
    RETURNING * INTO c;
    IF FOUND THEN
      RETURN c;
    END IF;
  END LOOP;
END $$;

-- A cart with all that pricing needs to know, in the order of its lines. p_path goes from the root down to the partner
-- and counts only for a partner not heard of yet.
CREATE FUNCTION cart_rows(p_outcome text, p_cart_id uuid, p_path uuid[]) RETURNS SETOF priced_row
LANGUAGE sql STABLE AS $$
  SELECT p_outcome, c.id, c.version, c.order_key, statement_timestamp(),
         pp.commission_rate, pp.is_vat_registered, pp.tax_registration_number, pp.display_currency, pp.marketing_enabled,
         f.id, l.quantity, f.sku, f.size_ml, f.scent_name, f.warehouse_code, p.list_price, f.catalog_price, f.cost, f.rrp,
         f.tax_classification, f.brand_commission_rate, f.is_active, f.available, f.first_offered_at, f.lowered_from,
         f.lowered_at, f.restocked_at,
         CASE WHEN pp.marketing_enabled THEN f.is_best_seller END,
         CASE WHEN pp.marketing_enabled THEN f.has_available_sample END
  FROM carts c
  LEFT JOIN partner_profiles pp ON pp.partner_id = c.partner_id
  LEFT JOIN cart_lines l ON l.cart_id = c.id
  LEFT JOIN variant_facts f ON f.id = l.variant_id
  LEFT JOIN LATERAL scent_caller_price(f.id, f.catalog_price, coalesce(pp.ancestors, p_path)) p ON true
  WHERE c.id = p_cart_id
  ORDER BY l.position
$$;

-- Lines that are in no cart, in the order asked for; a variant that is unknown has no sku.
CREATE FUNCTION quote_rows(p_partner_id uuid, p_path uuid[], p_variant_ids uuid[], p_quantities integer[])
RETURNS SETOF priced_row LANGUAGE sql STABLE AS $$
  SELECT 'Done', NULL::uuid, NULL::bigint, NULL::text, statement_timestamp(),
         pp.commission_rate, pp.is_vat_registered, pp.tax_registration_number, pp.display_currency, pp.marketing_enabled,
         l.variant_id, l.quantity, f.sku, f.size_ml, f.scent_name, f.warehouse_code, p.list_price, f.catalog_price, f.cost,
         f.rrp, f.tax_classification, f.brand_commission_rate, f.is_active, f.available, f.first_offered_at, f.lowered_from,
         f.lowered_at, f.restocked_at,
         CASE WHEN pp.marketing_enabled THEN f.is_best_seller END,
         CASE WHEN pp.marketing_enabled THEN f.has_available_sample END
  FROM unnest(p_variant_ids, p_quantities) WITH ORDINALITY l (variant_id, quantity, position)
  LEFT JOIN partner_profiles pp ON pp.partner_id = p_partner_id
  LEFT JOIN variant_facts f ON f.id = l.variant_id
  LEFT JOIN LATERAL scent_caller_price(f.id, f.catalog_price, coalesce(pp.ancestors, p_path)) p ON true
  ORDER BY l.position
$$;

-- Reads or changes the Open cart of a customer and answers it as it is then. p_action: read, add, set, remove or clear.
-- An outcome other than Done is a refusal that changed no line: NoVariant, NoLine, Frozen, TooManyUnits, TooManyLines.
-- Counting is safe and two adds both count, since each waits for the cart's row lock before it looks.
CREATE FUNCTION cart_do(
  p_action text, p_partner_id uuid, p_environment text, p_customer_ref text, p_path uuid[], p_idle_ms bigint,
  p_variant_id uuid DEFAULT NULL, p_quantity integer DEFAULT NULL
) RETURNS SETOF priced_row LANGUAGE plpgsql AS $$
DECLARE
  c carts;
  r priced_row;
  v_old integer;
  v_new integer;
  v_outcome text := 'Done';
BEGIN
  IF p_action = 'add' AND NOT EXISTS (SELECT 1 FROM variants WHERE id = p_variant_id AND is_active) THEN
    r.outcome := 'NoVariant';
    RETURN NEXT r;
    RETURN;
  END IF;
  IF p_action = 'read' THEN
    c := cart_find(p_partner_id, p_environment, p_customer_ref);
    IF c.id IS NULL OR cart_is_idle(c, p_idle_ms) THEN
      c := cart_take(p_partner_id, p_environment, p_customer_ref, p_idle_ms);
    END IF;
  ELSE
    c := cart_take(p_partner_id, p_environment, p_customer_ref, p_idle_ms);
    SELECT quantity INTO v_old FROM cart_lines WHERE cart_id = c.id AND variant_id = p_variant_id;
    v_new := CASE p_action WHEN 'add' THEN coalesce(v_old, 0) + p_quantity WHEN 'set' THEN p_quantity ELSE 0 END;
    v_outcome := CASE
      WHEN c.order_key IS NOT NULL THEN 'Frozen'
      WHEN p_action IN ('set', 'remove') AND v_old IS NULL THEN 'NoLine'
      WHEN v_new > 999 THEN 'TooManyUnits'
      WHEN v_old IS NULL AND v_new > 0 AND c.line_count >= 100 THEN 'TooManyLines'
      ELSE 'Done' END;
    IF v_outcome = 'Done' THEN
      IF p_action = 'clear' THEN
        DELETE FROM cart_lines WHERE cart_id = c.id;
      ELSIF v_new = 0 THEN
        DELETE FROM cart_lines WHERE cart_id = c.id AND variant_id = p_variant_id;
      ELSIF v_old IS NULL THEN
        INSERT INTO cart_lines (cart_id, variant_id, quantity, position) VALUES (c.id, p_variant_id, v_new, c.version + 1);
      ELSE
        UPDATE cart_lines SET quantity = v_new WHERE cart_id = c.id AND variant_id = p_variant_id;
      END IF;
      -- A request that changed nothing leaves the version, and with it a price lock, as it is.
      UPDATE carts SET touched_at = clock_timestamp(),
        version = version + CASE WHEN p_action = 'clear' THEN (c.line_count > 0)::int ELSE (v_new IS DISTINCT FROM v_old)::int END,
        line_count = CASE WHEN p_action = 'clear' THEN 0
                          ELSE line_count + (v_new > 0)::int - (v_old IS NOT NULL)::int END
      WHERE id = c.id;
    END IF;
  END IF;
  RETURN QUERY SELECT * FROM cart_rows(v_outcome, c.id, p_path);
END $$;

-- A checkout is an order's hold on a cart: Begun, then Committed or Cancelled. One cancelled before it began has no cart.
CREATE TABLE checkouts (
  order_key text COLLATE "C" PRIMARY KEY,
  partner_id uuid NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  state text COLLATE "C" NOT NULL CHECK (state IN ('Begun', 'Committed', 'Cancelled')),
  cart_id uuid REFERENCES carts (id),
  lock_id uuid,
  -- The answer of Begin, an encoded reseller.scent.v1.Checkout, for repetitions.
  answer bytea,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (state = 'Cancelled' OR (cart_id IS NOT NULL AND answer IS NOT NULL))
);
-- A cart is held by one order at a time, and makes one order at most.
CREATE UNIQUE INDEX checkouts_one_for_a_cart ON checkouts (cart_id) WHERE state <> 'Cancelled';

-- Records a checkout and freezes its cart for it, if the cart still has the version that was read. Anything but Done changes
-- nothing: Known (the key is taken), Frozen (another order holds the cart), Gone (checked out or abandoned), Race.
CREATE FUNCTION checkout_freeze(
  p_order_key text, p_partner_id uuid, p_environment text, p_cart_id uuid, p_version bigint, p_lock_id uuid, p_answer bytea
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c carts;
BEGIN
  IF EXISTS (SELECT 1 FROM checkouts WHERE order_key = p_order_key) THEN
    RETURN 'Known';
  END IF;
  SELECT * INTO c FROM carts WHERE id = p_cart_id FOR NO KEY UPDATE;
  IF c.status IS DISTINCT FROM 'Open' THEN
    RETURN 'Gone';
  ELSIF c.order_key = p_order_key THEN
    RETURN 'Known';
  ELSIF c.order_key IS NOT NULL THEN
    RETURN 'Frozen';
  ELSIF c.version <> p_version THEN
    RETURN 'Race';
  END IF;
  INSERT INTO checkouts (order_key, partner_id, environment, state, cart_id, lock_id, answer)
  VALUES (p_order_key, p_partner_id, p_environment, 'Begun', p_cart_id, p_lock_id, p_answer)
  ON CONFLICT (order_key) DO NOTHING;
  IF NOT FOUND THEN
    RETURN 'Known';
  END IF;
  UPDATE carts SET order_key = p_order_key WHERE id = p_cart_id;
  RETURN 'Done';
END $$;

-- Moves a checkout to Committed or Cancelled and its cart with it; the caller does the same for stock and discount in the
-- same transaction when the answer is Done. Again: it had happened before. State: that move is not possible. Foreign: the key
-- is another partner's. Cancelling what never began leaves the row that refuses a later Begin.
CREATE FUNCTION checkout_end(p_order_key text, p_partner_id uuid, p_environment text, p_to text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  k checkouts;
BEGIN
  IF p_to = 'Cancelled' THEN
    INSERT INTO checkouts (order_key, partner_id, environment, state)
    VALUES (p_order_key, p_partner_id, p_environment, 'Cancelled') ON CONFLICT (order_key) DO NOTHING;
    IF FOUND THEN
      RETURN 'Again';
    END IF;
  END IF;
  SELECT * INTO k FROM checkouts WHERE order_key = p_order_key FOR NO KEY UPDATE;
  IF k.order_key IS NULL THEN
    RETURN 'State';
  ELSIF k.partner_id <> p_partner_id OR k.environment <> p_environment THEN
    RETURN 'Foreign';
  ELSIF k.state = p_to THEN
    RETURN 'Again';
  ELSIF k.state <> 'Begun' THEN
    RETURN 'State';
  END IF;
  UPDATE checkouts SET state = p_to, changed_at = clock_timestamp() WHERE order_key = p_order_key;
  IF p_to = 'Committed' THEN
    UPDATE carts SET status = 'CheckedOut' WHERE id = k.cart_id;
    UPDATE price_locks SET spent_by = p_order_key WHERE id = k.lock_id;
  ELSE
    -- The wait for the order is no idleness of the customer's.
    UPDATE carts SET order_key = NULL, touched_at = clock_timestamp() WHERE id = k.cart_id;
  END IF;
  RETURN 'Done';
END $$;
