-- Stock, units sold and rises of stock for each environment (spec §2.1). The catalog and its prices stay one for both.
-- The version before goes on: its routines act on the environment of the order, and what it reads and writes by itself stands in
-- two views that have the names of what was there, variant_stocks and variant_facts (docs/platform/migrations.md).

-- safe: whoever changes stock waits for the moment in which it is taken over
LOCK TABLE variant_stocks IN ACCESS EXCLUSIVE MODE;

-- Hot, hence apart from its variant and half empty: a change of the numbers stays on its page and touches no index unless
-- the class of availability changes (spec §5.4). sku and is_active repeat the variant's for the same reason.
CREATE TABLE stock_levels (
  variant_id uuid NOT NULL CONSTRAINT stock_levels_variant_id_fkey REFERENCES variants (id) ON DELETE CASCADE,
  environment text COLLATE "C" NOT NULL CONSTRAINT stock_levels_environment CHECK (environment IN ('sandbox', 'live')),
  on_hand integer NOT NULL DEFAULT 0,
  reserved integer NOT NULL DEFAULT 0,
  restocked_at timestamptz(6),
  sku text COLLATE "C" NOT NULL,
  is_active boolean NOT NULL,
  availability text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN on_hand - reserved <= 0 THEN 'Unavailable' WHEN on_hand - reserved <= 5 THEN 'Limited' ELSE 'Available' END
  ) STORED,
  CONSTRAINT stock_levels_pkey PRIMARY KEY (variant_id, environment),
  CONSTRAINT stock_levels_reserved_not_negative CHECK (reserved >= 0),
  CONSTRAINT stock_levels_covers_reserved CHECK (on_hand >= reserved)
) WITH (fillfactor = 50);

-- Both environments have what the one stock had; what is reserved is each environment's own, by its checkouts.
INSERT INTO stock_levels (variant_id, environment, on_hand, reserved, restocked_at, sku, is_active)
SELECT t.variant_id, e.environment, t.on_hand, coalesce(h.units, 0), t.restocked_at, t.sku, t.is_active
FROM variant_stocks t
CROSS JOIN (VALUES ('live'), ('sandbox')) AS e (environment)
LEFT JOIN (
  SELECT r.variant_id, k.environment, sum(r.quantity)::integer AS units
  FROM checkouts k JOIN stock_reservations r USING (order_key) WHERE k.state = 'Begun' GROUP BY 1, 2
) h ON h.variant_id = t.variant_id AND h.environment = e.environment;
CREATE INDEX stock_levels_availability_idx ON stock_levels (environment, availability, sku, variant_id) WHERE is_active;

-- Units sold by day in UTC. What was sold before counts in both environments, for the 30 days that it counts at all.
CREATE TABLE daily_sales (
  variant_id uuid NOT NULL CONSTRAINT daily_sales_variant_id_fkey REFERENCES variants (id) ON DELETE CASCADE,
  environment text COLLATE "C" NOT NULL CONSTRAINT daily_sales_environment CHECK (environment IN ('sandbox', 'live')),
  day date NOT NULL,
  units integer NOT NULL,
  CONSTRAINT daily_sales_pkey PRIMARY KEY (variant_id, environment, day),
  CONSTRAINT daily_sales_units_positive CHECK (units > 0)
);
INSERT INTO daily_sales (variant_id, environment, day, units)
SELECT s.variant_id, e.environment, s.day, s.units FROM variant_sales s CROSS JOIN (VALUES ('live'), ('sandbox')) AS e (environment);
CREATE INDEX daily_sales_day_idx ON daily_sales (day);

-- The sum of a variant's days, ranked for best sellers.
CREATE TABLE sales_totals (
  variant_id uuid NOT NULL CONSTRAINT sales_totals_variant_id_fkey REFERENCES variants (id) ON DELETE CASCADE,
  environment text COLLATE "C" NOT NULL CONSTRAINT sales_totals_environment CHECK (environment IN ('sandbox', 'live')),
  units integer NOT NULL,
  is_active boolean NOT NULL,
  CONSTRAINT sales_totals_pkey PRIMARY KEY (variant_id, environment),
  CONSTRAINT sales_totals_units_not_negative CHECK (units >= 0)
);
INSERT INTO sales_totals (variant_id, environment, units, is_active)
SELECT d.variant_id, d.environment, sum(d.units), v.is_active
FROM daily_sales d JOIN variants v ON v.id = d.variant_id GROUP BY d.variant_id, d.environment, v.is_active;
CREATE INDEX sales_totals_rank_idx ON sales_totals (environment, units DESC, variant_id) WHERE is_active AND units > 0;

-- All that is known of a variant in one environment, inactive ones too; the rules that make badges and availability of it are the
-- service's. is_best_seller and has_available_sample cost a look-up each and nothing where they are not selected. The place that
-- a best seller must have stands there once for each environment, so that it is looked up once a statement.
CREATE VIEW stocked_variants AS
SELECT v.id, v.scent_id, v.brand_id, v.warehouse_id, v.sku, v.size_ml, v.list_price AS catalog_price, v.cost, v.rrp,
       v.tax_classification, v.is_sample, v.is_active, v.first_offered_at, v.lowered_from, v.lowered_at,
       s.name AS scent_name, b.name AS brand_name, b.commission_rate AS brand_commission_rate, w.code AS warehouse_code,
       t.environment, t.on_hand, t.reserved, t.on_hand - t.reserved AS available, t.restocked_at, t.availability,
       -- The top tenth of the active variants, rounded up, by units sold in 30 days, at least one (spec §5.5).
       coalesce(
         (SELECT CASE WHEN k.units < 1 OR NOT k.is_active THEN false
                 WHEN k.environment = 'live' THEN coalesce((-k.units, k.variant_id) <= (
                   SELECT -o.units, o.variant_id FROM sales_totals o
                   WHERE o.environment = 'live' AND o.is_active AND o.units > 0
                   ORDER BY o.units DESC, o.variant_id
                   OFFSET (SELECT greatest((c.active_variants + 9) / 10 - 1, 0) FROM catalog_sizes c) LIMIT 1
                 ), true)
                 ELSE coalesce((-k.units, k.variant_id) <= (
                   SELECT -o.units, o.variant_id FROM sales_totals o
                   WHERE o.environment = 'sandbox' AND o.is_active AND o.units > 0
                   ORDER BY o.units DESC, o.variant_id
                   OFFSET (SELECT greatest((c.active_variants + 9) / 10 - 1, 0) FROM catalog_sizes c) LIMIT 1
                 ), true) END
          FROM sales_totals k WHERE k.variant_id = v.id AND k.environment = t.environment),
         false) AS is_best_seller,
       EXISTS (
         SELECT 1 FROM variants x JOIN stock_levels xs ON xs.variant_id = x.id AND xs.environment = t.environment
         WHERE x.scent_id = v.scent_id AND x.is_sample AND x.is_active AND xs.on_hand > xs.reserved
       ) AS has_available_sample
FROM variants v
JOIN scents s ON s.id = v.scent_id
JOIN brands b ON b.id = v.brand_id
JOIN warehouses w ON w.id = v.warehouse_id
JOIN stock_levels t ON t.variant_id = v.id;

-- The rise's environment; null for a rise of before, which is for the registrations of both.
ALTER TABLE stock_rises ADD COLUMN environment text;

-- What the version before reads of a variant is live's.
-- safe: the same columns, and the version before shows live's stock
CREATE OR REPLACE VIEW variant_facts AS
SELECT id, scent_id, brand_id, warehouse_id, sku, size_ml, catalog_price, cost, rrp, tax_classification, is_sample, is_active,
       first_offered_at, lowered_from, lowered_at, scent_name, brand_name, brand_commission_rate, warehouse_code,
       on_hand, reserved, available, restocked_at, availability, is_best_seller, has_available_sample
FROM stocked_variants WHERE environment = 'live';

-- What the version before reads of stock is what is available in live. Its reconciler holds `reserved` to the checkouts of both
-- environments, and whoever registers for a rise locks the stock of both.
-- safe: a view of the same name and columns takes its place in this very migration
DROP TABLE variant_stocks;
CREATE VIEW variant_stocks AS
SELECT l.variant_id, l.on_hand + s.reserved AS on_hand, l.reserved + s.reserved AS reserved, l.restocked_at, l.sku, l.is_active,
       l.availability
FROM stock_levels l JOIN stock_levels s ON s.variant_id = l.variant_id AND s.environment = 'sandbox'
WHERE l.environment = 'live';

-- safe: only routines called it, and they are defined anew in this very transaction
DROP FUNCTION IF EXISTS change_stock(uuid[], integer[], integer[]);
