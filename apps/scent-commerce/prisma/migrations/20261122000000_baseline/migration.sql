-- scent-commerce's tables, types, views and indexes. Functions and triggers stand in prisma/routines.
-- Names and skus compare by code points (spec §1.6), whatever the database's locale.

-- ---- Events out and in, as libs/messaging/sql/messaging.sql says ----

CREATE TABLE outbox (
  event_id uuid PRIMARY KEY,
  topic text NOT NULL,
  type text NOT NULL,
  aggregate_id text NOT NULL,
  aggregate_seq bigint NOT NULL,
  payload bytea NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  CONSTRAINT outbox_aggregate_seq_key UNIQUE (aggregate_id, aggregate_seq)
);
CREATE INDEX outbox_unpublished_idx ON outbox (aggregate_id, aggregate_seq) WHERE published_at IS NULL;
CREATE INDEX outbox_published_at_idx ON outbox (published_at) WHERE published_at IS NOT NULL;

CREATE TABLE outbox_aggregate (
  aggregate_id text PRIMARY KEY,
  last_seq bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE inbox (
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  handled_at timestamptz,
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_handled_at_idx ON inbox (handled_at) WHERE handled_at IS NOT NULL;

-- ---- Catalog: one for both environments (spec §2.1, §5) ----

CREATE TABLE warehouses (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  code text COLLATE "C" NOT NULL CONSTRAINT warehouses_code_key UNIQUE,
  name text NOT NULL
);

CREATE TABLE brands (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text COLLATE "C" NOT NULL CONSTRAINT brands_name_key UNIQUE,
  commission_rate numeric(7, 6),
  CONSTRAINT brands_id_name_key UNIQUE (id, name),
  CONSTRAINT brands_name_is_text CHECK (name <> '' AND name !~ '[[:cntrl:]]'),
  CONSTRAINT brands_commission_rate_is_fraction CHECK (commission_rate BETWEEN 0 AND 1)
);

-- brand_name repeats the brand's (the key holds it so), so that search_text, what a search looks into, is made of this row
-- alone: both names with full Unicode case folding, apart by a character that no name holds.
CREATE TABLE scents (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  brand_id uuid NOT NULL,
  brand_name text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  description text NOT NULL DEFAULT '',
  notes text[] NOT NULL DEFAULT '{}',
  gender text NOT NULL,
  concentration text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    casefold(name COLLATE pg_unicode_fast) || E'\x01' || casefold(brand_name COLLATE pg_unicode_fast)
  ) STORED,
  CONSTRAINT scents_brand_id_fkey FOREIGN KEY (brand_id, brand_name) REFERENCES brands (id, name) ON UPDATE CASCADE,
  CONSTRAINT scents_brand_id_name_key UNIQUE (brand_id, name),
  CONSTRAINT scents_id_brand_id_key UNIQUE (id, brand_id),
  CONSTRAINT scents_name_is_text CHECK (name <> '' AND name !~ '[[:cntrl:]]'),
  CONSTRAINT scents_gender_known CHECK (gender IN ('Women', 'Men', 'Unisex'))
);
CREATE INDEX scents_name_idx ON scents (name, id);
CREATE INDEX scents_brand_id_name_idx ON scents (brand_id, name, id);

-- safe: nobody uses the index yet; without the extension a search reads every scent: slower, and right
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX scents_search_text_idx ON scents USING gin (search_text gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
    RAISE NOTICE 'the extension pg_trgm is not available; searches go without an index';
END $$;

-- brand_id repeats the scent's (the key holds it so), and a lowered price is kept on the row, so that a list reads one index
-- and one row for each variant.
CREATE TABLE variants (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  scent_id uuid NOT NULL,
  brand_id uuid NOT NULL,
  warehouse_id uuid NOT NULL CONSTRAINT variants_warehouse_id_fkey REFERENCES warehouses (id),
  sku text COLLATE "C" NOT NULL CONSTRAINT variants_sku_key UNIQUE,
  size_ml integer NOT NULL,
  list_price numeric(14, 2) NOT NULL,
  cost numeric(14, 2) NOT NULL,
  rrp numeric(14, 2),
  tax_classification text NOT NULL DEFAULT 'STANDARD',
  is_sample boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  first_offered_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  lowered_from numeric(14, 2),
  lowered_at timestamptz(6),
  CONSTRAINT variants_scent_id_fkey FOREIGN KEY (scent_id, brand_id) REFERENCES scents (id, brand_id) ON UPDATE CASCADE,
  CONSTRAINT variants_size_positive CHECK (size_ml > 0),
  CONSTRAINT variants_list_price_positive CHECK (list_price > 0),
  CONSTRAINT variants_cost_not_negative CHECK (cost >= 0),
  CONSTRAINT variants_rrp_positive CHECK (rrp > 0),
  CONSTRAINT variants_tax_classification_known CHECK (tax_classification IN ('STANDARD', 'ZERO')),
  CONSTRAINT variants_lowered_whole CHECK ((lowered_from IS NULL) = (lowered_at IS NULL))
);
CREATE INDEX variants_sku_idx ON variants (sku, id) WHERE is_active;
CREATE INDEX variants_scent_id_idx ON variants (scent_id, sku, id) INCLUDE (is_active);
CREATE INDEX variants_brand_id_idx ON variants (brand_id, sku, id) INCLUDE (is_active);
CREATE INDEX variants_sample_idx ON variants (scent_id) WHERE is_sample AND is_active;

-- Hot, hence apart from its variant and half empty: a change of the numbers stays on its page and touches no index unless
-- the class of availability changes (spec §5.4). sku and is_active repeat the variant's for the same reason.
CREATE TABLE variant_stocks (
  variant_id uuid PRIMARY KEY CONSTRAINT variant_stocks_variant_id_fkey REFERENCES variants (id) ON DELETE CASCADE,
  on_hand integer NOT NULL DEFAULT 0,
  reserved integer NOT NULL DEFAULT 0,
  restocked_at timestamptz(6),
  sku text COLLATE "C" NOT NULL,
  is_active boolean NOT NULL,
  availability text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN on_hand - reserved <= 0 THEN 'Unavailable' WHEN on_hand - reserved <= 5 THEN 'Limited' ELSE 'Available' END
  ) STORED,
  CONSTRAINT variant_stocks_reserved_not_negative CHECK (reserved >= 0),
  CONSTRAINT variant_stocks_covers_reserved CHECK (on_hand >= reserved)
) WITH (fillfactor = 50);
CREATE INDEX variant_stocks_availability_idx ON variant_stocks (availability, sku, variant_id) WHERE is_active;

-- By variant first: a price list reads the prices of one page of variants, few of which have any.
CREATE TABLE partner_prices (
  variant_id uuid NOT NULL CONSTRAINT partner_prices_variant_id_fkey REFERENCES variants (id) ON DELETE CASCADE,
  partner_id uuid NOT NULL,
  list_price numeric(14, 2) NOT NULL,
  updated_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT partner_prices_pkey PRIMARY KEY (variant_id, partner_id),
  CONSTRAINT partner_prices_list_price_positive CHECK (list_price > 0)
);

CREATE TABLE price_changes (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  variant_id uuid NOT NULL CONSTRAINT price_changes_variant_id_fkey REFERENCES variants (id) ON DELETE CASCADE,
  old_price numeric(14, 2) NOT NULL,
  new_price numeric(14, 2) NOT NULL,
  changed_at timestamptz(6) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX price_changes_variant_id_idx ON price_changes (variant_id, changed_at DESC);

CREATE TABLE variant_sales (
  variant_id uuid NOT NULL CONSTRAINT variant_sales_variant_id_fkey REFERENCES variants (id) ON DELETE CASCADE,
  day date NOT NULL,
  units integer NOT NULL,
  CONSTRAINT variant_sales_pkey PRIMARY KEY (variant_id, day),
  CONSTRAINT variant_sales_units_positive CHECK (units > 0)
);
CREATE INDEX variant_sales_day_idx ON variant_sales (day);

-- The sum of a variant's days, ranked for best sellers.
CREATE TABLE variant_sales_totals (
  variant_id uuid PRIMARY KEY CONSTRAINT variant_sales_totals_variant_id_fkey REFERENCES variants (id) ON DELETE CASCADE,
  units integer NOT NULL,
  is_active boolean NOT NULL,
  CONSTRAINT variant_sales_totals_units_not_negative CHECK (units >= 0)
);
CREATE INDEX variant_sales_totals_rank_idx ON variant_sales_totals (units DESC, variant_id) WHERE is_active AND units > 0;

-- One row: how many variants are active, so that a list of them all counts none.
CREATE TABLE catalog_sizes (
  id integer PRIMARY KEY DEFAULT 1,
  active_variants integer NOT NULL,
  CONSTRAINT catalog_sizes_one_row CHECK (id = 1)
);
INSERT INTO catalog_sizes (active_variants) VALUES (0);

CREATE TABLE partner_profiles (
  partner_id uuid PRIMARY KEY,
  ancestors uuid[] NOT NULL,
  commission_rate numeric(7, 6),
  is_vat_registered boolean NOT NULL,
  tax_registration_number text,
  display_currency text,
  marketing_enabled boolean NOT NULL,
  is_active boolean NOT NULL,
  version bigint NOT NULL,
  updated_at timestamptz(6) NOT NULL DEFAULT clock_timestamp()
);

-- All that is known of a variant, inactive ones too; the rules that make badges and availability of it are the service's.
-- is_best_seller and has_available_sample cost a look-up each and nothing where they are not selected.
CREATE VIEW variant_facts AS
SELECT v.id, v.scent_id, v.brand_id, v.warehouse_id, v.sku, v.size_ml, v.list_price AS catalog_price, v.cost, v.rrp,
       v.tax_classification, v.is_sample, v.is_active, v.first_offered_at, v.lowered_from, v.lowered_at,
       s.name AS scent_name, b.name AS brand_name, b.commission_rate AS brand_commission_rate, w.code AS warehouse_code,
       t.on_hand, t.reserved, t.on_hand - t.reserved AS available, t.restocked_at, t.availability,
       -- The top tenth of the active variants, rounded up, by units sold in 30 days, at least one (spec §5.5).
       coalesce(
         (SELECT CASE WHEN k.units < 1 OR NOT k.is_active THEN false
                 ELSE coalesce((-k.units, k.variant_id) <= (
                   SELECT -o.units, o.variant_id FROM variant_sales_totals o
                   WHERE o.is_active AND o.units > 0
                   ORDER BY o.units DESC, o.variant_id
                   OFFSET (SELECT greatest((c.active_variants + 9) / 10 - 1, 0) FROM catalog_sizes c) LIMIT 1
                 ), true) END
          FROM variant_sales_totals k WHERE k.variant_id = v.id),
         false) AS is_best_seller,
       EXISTS (
         SELECT 1 FROM variants x JOIN variant_stocks xs ON xs.variant_id = x.id
         WHERE x.scent_id = v.scent_id AND x.is_sample AND x.is_active AND xs.on_hand > xs.reserved
       ) AS has_available_sample
FROM variants v
JOIN scents s ON s.id = v.scent_id
JOIN brands b ON b.id = v.brand_id
JOIN warehouses w ON w.id = v.warehouse_id
JOIN variant_stocks t ON t.variant_id = v.id;

-- ---- What a partner has of things that are limited (spec §14.4) ----

-- Its row is locked by whoever makes or ends one, so the limits are exact however many do so at once. Triggers alone write it.
CREATE TABLE resource_counts (
  partner_id uuid NOT NULL,
  environment text NOT NULL,
  discount_codes integer NOT NULL DEFAULT 0,
  active_registrations integer NOT NULL DEFAULT 0,
  CONSTRAINT resource_counts_pkey PRIMARY KEY (partner_id, environment),
  CONSTRAINT discount_code_limit CHECK (discount_codes BETWEEN 0 AND 1000),
  CONSTRAINT active_registration_limit CHECK (active_registrations BETWEEN 0 AND 10000)
) WITH (fillfactor = 50);

-- ---- Back in stock (spec §6.10) ----

-- One row of numbers for registrations and rises: each takes its own under the lock of the variant's stock, so that of a
-- registration and a rise of the same variant the earlier one has the smaller number, whatever clocks say.
CREATE SEQUENCE back_in_stock_positions;

CREATE TABLE back_in_stock_registrations (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  position bigint NOT NULL DEFAULT nextval('back_in_stock_positions'),
  partner_id uuid NOT NULL,
  environment text NOT NULL CONSTRAINT back_in_stock_environment CHECK (environment IN ('sandbox', 'live')),
  variant_id uuid NOT NULL CONSTRAINT back_in_stock_variant_id_fkey REFERENCES variants (id),
  customer_ref text,
  status text NOT NULL DEFAULT 'Active' CONSTRAINT back_in_stock_status CHECK (status IN ('Active', 'Notified', 'Cancelled')),
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  notified_at timestamptz(6),
  CONSTRAINT back_in_stock_notified CHECK ((status = 'Notified') = (notified_at IS NOT NULL))
);
CREATE INDEX back_in_stock_list_idx ON back_in_stock_registrations (partner_id, environment, created_at DESC, id DESC);
-- One Active registration for each variant and customer, the partner itself having none.
CREATE UNIQUE INDEX back_in_stock_one_active ON back_in_stock_registrations
  (variant_id, partner_id, environment, customer_ref) NULLS NOT DISTINCT WHERE status = 'Active';
-- Who is to be notified next.
CREATE INDEX back_in_stock_waiting_idx ON back_in_stock_registrations (variant_id, position) WHERE status = 'Active';

-- Rises of stock from nothing whose registrations are being notified: those of the variant with a smaller position that are
-- Active. A job does so piece by piece, and deletes the row with the last one.
CREATE TABLE stock_rises (
  position bigint PRIMARY KEY DEFAULT nextval('back_in_stock_positions'),
  variant_id uuid NOT NULL CONSTRAINT stock_rises_variant_id_fkey REFERENCES variants (id),
  available integer NOT NULL,
  -- The trace and request id of the change; the events go on with them.
  headers jsonb NOT NULL,
  risen_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  -- When the last piece was done: rises take turns.
  turn_at timestamptz(6) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX stock_rises_variant_idx ON stock_rises (variant_id, position);
CREATE INDEX stock_rises_turn_idx ON stock_rises (turn_at);

-- ---- Discount codes: what spec §6.9 demands of one, so that nothing else can be stored whichever way it comes ----

CREATE TABLE discount_codes (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  partner_id uuid NOT NULL,
  environment text NOT NULL CONSTRAINT discount_codes_environment CHECK (environment IN ('sandbox', 'live')),
  code text NOT NULL CONSTRAINT discount_codes_code CHECK (code ~ '^[A-Z0-9_-]{3,40}$'),
  discount_type text NOT NULL,
  value numeric(15, 2) NOT NULL,
  valid_from timestamptz(3),
  valid_to timestamptz(3),
  is_active boolean NOT NULL,
  total_usage_cap integer CONSTRAINT discount_codes_total_cap CHECK (total_usage_cap >= 1),
  per_customer_cap integer CONSTRAINT discount_codes_customer_cap CHECK (per_customer_cap = 1),
  product_scope text NOT NULL,
  scoped_variant_ids uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
  min_order_value numeric(15, 2) CONSTRAINT discount_codes_minimum CHECK (min_order_value >= 0),
  usage_count integer NOT NULL DEFAULT 0,
  pending_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  last_modified_at timestamptz(6),
  CONSTRAINT discount_codes_value CHECK (
    value > 0 AND (discount_type = 'FixedAmount' OR (discount_type = 'Percent' AND value <= 100))),
  CONSTRAINT discount_codes_dates CHECK (valid_from <= valid_to),
  CONSTRAINT discount_codes_scope CHECK (
    (product_scope = 'All' AND cardinality(scoped_variant_ids) = 0)
    OR (product_scope = 'VariantList' AND cardinality(scoped_variant_ids) BETWEEN 1 AND 500)),
  CONSTRAINT discount_codes_counts CHECK (usage_count >= 0 AND pending_count >= 0)
);
CREATE INDEX discount_codes_list_idx ON discount_codes (partner_id, environment, created_at DESC, id DESC);
CREATE UNIQUE INDEX discount_codes_one_text ON discount_codes (partner_id, environment, code);

-- While a row is here its code cannot be deleted.
CREATE TABLE discount_redemptions (
  order_key text PRIMARY KEY,
  code_id uuid NOT NULL CONSTRAINT discount_redemptions_code_id_fkey REFERENCES discount_codes (id),
  customer_ref text,
  state text NOT NULL CONSTRAINT discount_redemptions_state CHECK (state IN ('Pending', 'Redeemed', 'GivenBack')),
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  changed_at timestamptz(6) NOT NULL DEFAULT clock_timestamp()
);
-- Who a customer's cap is counted by, and what holds a code back from being deleted.
CREATE INDEX discount_redemptions_code_idx ON discount_redemptions (code_id, customer_ref);

-- ---- Carts, price locks and checkouts (spec §6, §7.2) ----

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
  -- Whether it ever had a line: one that had none is removed soon (spec §14.4). Set with the first line and never again, so
  -- that changes of a cart leave its indexes alone.
  had_lines boolean NOT NULL DEFAULT false CHECK (had_lines OR line_count = 0),
  -- The order that holds the cart. While it is Open nobody else may change it (spec §6.4).
  order_key text COLLATE "C",
  touched_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- What the idle job looks by: it changes once a day, so that most changes of a cart leave its indexes alone.
  touched_on date NOT NULL GENERATED ALWAYS AS ((touched_at AT TIME ZONE 'UTC')::date) STORED,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (status <> 'CheckedOut' OR order_key IS NOT NULL),
  CHECK (status <> 'Abandoned' OR order_key IS NULL)
) WITH (fillfactor = 60);
-- One Open cart for each customer, and one without (spec §6.1); an expression, since no index serves IS NOT DISTINCT FROM.
CREATE UNIQUE INDEX carts_one_open ON carts (partner_id, environment, coalesce(customer_ref, '')) WHERE status = 'Open';
CREATE UNIQUE INDEX carts_order_key ON carts (order_key) WHERE order_key IS NOT NULL;
CREATE INDEX carts_idle ON carts (touched_on) WHERE status = 'Open' AND order_key IS NULL;

-- By its making, which never changes; those that are read again and again are passed over.
CREATE INDEX carts_never_filled ON carts (created_at) WHERE status = 'Open' AND NOT had_lines;

CREATE TABLE cart_lines (
  cart_id uuid NOT NULL REFERENCES carts (id),
  variant_id uuid NOT NULL REFERENCES variants (id),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 999),
  -- The cart's version that brought the line: lines stand in the order in which they came, without ties.
  position bigint NOT NULL,
  added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (cart_id, variant_id)
) WITH (fillfactor = 60);

-- What price_lines returns: one row for each line, or one without a line for an empty cart.
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

-- Frozen prices of one version of a cart (spec §6.5).
CREATE TABLE price_locks (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  partner_id uuid NOT NULL,
  environment text COLLATE "C" NOT NULL,
  cart_id uuid NOT NULL REFERENCES carts (id),
  cart_version bigint NOT NULL,
  -- The lines as they were priced, and the discount: see price-lock/domain/locked-pricing.ts.
  pricing jsonb NOT NULL,
  -- Not a foreign key: a code that is deleted meanwhile is Unknown at the order.
  discount_code_id uuid,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  -- The order that used it; a lock serves once.
  spent_by text COLLATE "C" UNIQUE
);
-- For the removal of a cart.
CREATE INDEX price_locks_cart ON price_locks (cart_id);
CREATE INDEX price_locks_expired ON price_locks (expires_at);

-- A checkout is an order's hold on a cart and its stock: Begun, then Committed or Cancelled. One cancelled before it began
-- has no cart.
CREATE TABLE checkouts (
  order_key text COLLATE "C" PRIMARY KEY,
  partner_id uuid NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  state text COLLATE "C" NOT NULL CHECK (state IN ('Begun', 'Committed', 'Cancelled')),
  cart_id uuid REFERENCES carts (id),
  lock_id uuid,
  -- The response of Begin, an encoded reseller.scent.v1.Checkout, for repetitions.
  response bytea,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (state = 'Cancelled' OR (cart_id IS NOT NULL AND response IS NOT NULL))
);
-- A cart is held by one order at a time, and makes one order at most.
CREATE UNIQUE INDEX checkouts_one_for_a_cart ON checkouts (cart_id) WHERE state <> 'Cancelled';
-- For the removal of a cart.
CREATE INDEX checkouts_cart ON checkouts (cart_id);
-- What is held now: the reconciler adds it up without going through all that ever was.
CREATE INDEX checkouts_begun ON checkouts (order_key) WHERE state = 'Begun';

-- The units of one variant in a checkout, and how many of them cancelled groups have put back since they were sold. A
-- variant's reserved quantity is the sum of its rows in checkouts that are Begun.
CREATE TABLE stock_reservations (
  order_key text COLLATE "C" NOT NULL REFERENCES checkouts (order_key),
  variant_id uuid NOT NULL REFERENCES variants (id),
  quantity integer NOT NULL CONSTRAINT stock_reservations_quantity CHECK (quantity > 0),
  restocked integer NOT NULL DEFAULT 0,
  PRIMARY KEY (order_key, variant_id),
  CONSTRAINT stock_reservations_restocked CHECK (restocked BETWEEN 0 AND quantity)
);

-- The cancelled groups whose units are back in stock, each once.
CREATE TABLE stock_returns (
  order_key text COLLATE "C" NOT NULL REFERENCES checkouts (order_key),
  return_key text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (order_key, return_key)
);

-- ---- The reconciler (libs/database) ----

CREATE TABLE reconciliation_checks (
  name text PRIMARY KEY,
  -- The newest subject compared soon after it came; only of checks whose subjects come in order of time.
  head text,
  -- The last subject of the pass under way; null between passes.
  at_subject text,
  pass_started_at timestamptz,
  pass_completed_at timestamptz
);

-- What did not agree. A difference is never repaired here: it ends when a later comparison finds it gone.
CREATE TABLE reconciliation_differences (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  check_name text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  expected text NOT NULL,
  found text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  resolved_at timestamptz
);
CREATE UNIQUE INDEX reconciliation_differences_one_open ON reconciliation_differences (check_name, kind, subject)
  WHERE resolved_at IS NULL;
CREATE INDEX reconciliation_differences_newest ON reconciliation_differences (first_seen_at DESC, id DESC);
