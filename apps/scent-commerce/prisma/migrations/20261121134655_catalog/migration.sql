-- The catalog, its stock and its prices: one for both environments (spec §2.1, §5).
-- Names and skus compare by code points (spec §1.6), whatever the database's locale.

CREATE TABLE warehouses (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  code text COLLATE "C" NOT NULL CONSTRAINT warehouses_code_key UNIQUE,
  name text NOT NULL
);

CREATE TABLE brands (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text COLLATE "C" NOT NULL CONSTRAINT brands_name_key UNIQUE,
  commission_rate numeric(7, 6),
  CONSTRAINT brands_name_is_text CHECK (name <> '' AND name !~ '[[:cntrl:]]'),
  CONSTRAINT brands_commission_rate_is_fraction CHECK (commission_rate BETWEEN 0 AND 1)
);

-- search_text is what a search looks into: both names, folded, apart by a character that no name holds.
CREATE TABLE scents (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  brand_id uuid NOT NULL CONSTRAINT scents_brand_id_fkey REFERENCES brands (id),
  name text COLLATE "C" NOT NULL,
  description text NOT NULL DEFAULT '',
  notes text[] NOT NULL DEFAULT '{}',
  gender text NOT NULL,
  concentration text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  search_text text COLLATE "C" NOT NULL,
  CONSTRAINT scents_brand_id_name_key UNIQUE (brand_id, name),
  CONSTRAINT scents_id_brand_id_key UNIQUE (id, brand_id),
  CONSTRAINT scents_name_is_text CHECK (name <> '' AND name !~ '[[:cntrl:]]'),
  CONSTRAINT scents_gender_known CHECK (gender IN ('Women', 'Men', 'Unisex'))
);
CREATE INDEX scents_name_idx ON scents (name, id);
CREATE INDEX scents_brand_id_name_idx ON scents (brand_id, name, id);

-- brand_id repeats the scent's (the key holds it so), and a lowered price is remembered on the row, so that a list reads
-- one index and one row for each variant.
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
CREATE TABLE variant_stock (
  variant_id uuid PRIMARY KEY CONSTRAINT variant_stock_variant_id_fkey REFERENCES variants (id) ON DELETE CASCADE,
  on_hand integer NOT NULL DEFAULT 0,
  reserved integer NOT NULL DEFAULT 0,
  restocked_at timestamptz(6),
  sku text COLLATE "C" NOT NULL,
  is_active boolean NOT NULL,
  availability text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN on_hand - reserved <= 0 THEN 'Unavailable' WHEN on_hand - reserved <= 5 THEN 'Limited' ELSE 'Available' END
  ) STORED,
  CONSTRAINT variant_stock_reserved_not_negative CHECK (reserved >= 0),
  CONSTRAINT variant_stock_covers_reserved CHECK (on_hand >= reserved)
) WITH (fillfactor = 50);
CREATE INDEX variant_stock_availability_idx ON variant_stock (availability, sku, variant_id) WHERE is_active;

-- By variant first: a price list asks for the prices of one page of variants, few of which have any.
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

CREATE TABLE variant_sales_total (
  variant_id uuid PRIMARY KEY CONSTRAINT variant_sales_total_variant_id_fkey REFERENCES variants (id) ON DELETE CASCADE,
  units integer NOT NULL,
  is_active boolean NOT NULL,
  CONSTRAINT variant_sales_total_units_not_negative CHECK (units >= 0)
);
CREATE INDEX variant_sales_total_rank_idx ON variant_sales_total (units DESC, variant_id) WHERE is_active AND units > 0;

CREATE TABLE catalog_size (
  id integer PRIMARY KEY DEFAULT 1,
  active_variants integer NOT NULL,
  CONSTRAINT catalog_size_one_row CHECK (id = 1)
);
INSERT INTO catalog_size (active_variants) VALUES (0);

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

-- ---- What a search looks into ----

-- Text as a search compares it: full case folding of Unicode, whatever the database's locale.
CREATE FUNCTION scent_fold(p_text text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN casefold(p_text COLLATE pg_unicode_fast);

CREATE FUNCTION scents_fill_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT scent_fold(NEW.name) || E'\x01' || scent_fold(b.name) INTO NEW.search_text FROM brands b WHERE b.id = NEW.brand_id;
  RETURN NEW;
END $$;
CREATE TRIGGER scents_fill_search_text BEFORE INSERT OR UPDATE OF name, brand_id, search_text ON scents
  FOR EACH ROW EXECUTE FUNCTION scents_fill_search_text();

CREATE FUNCTION brands_refresh_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE scents SET search_text = '' WHERE brand_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER brands_refresh_search_text AFTER UPDATE OF name ON brands
  FOR EACH ROW WHEN (NEW.name IS DISTINCT FROM OLD.name) EXECUTE FUNCTION brands_refresh_search_text();

-- Without the extension a search reads every scent: slower, and right.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX scents_search_text_idx ON scents USING gin (search_text gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
    RAISE NOTICE 'pg_trgm is not to be had here; searches go without an index';
END $$;

-- ---- Variants ----

CREATE FUNCTION variants_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.brand_id IS NULL THEN
      SELECT s.brand_id INTO NEW.brand_id FROM scents s WHERE s.id = NEW.scent_id;
    END IF;
  ELSIF NEW.list_price < OLD.list_price THEN
    NEW.lowered_from := OLD.list_price;
    NEW.lowered_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER variants_before_insert BEFORE INSERT ON variants FOR EACH ROW EXECUTE FUNCTION variants_before();
CREATE TRIGGER variants_before_price BEFORE UPDATE OF list_price ON variants
  FOR EACH ROW EXECUTE FUNCTION variants_before();

-- Every variant has its stock row from its first moment on.
CREATE FUNCTION variants_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO variant_stock (variant_id, sku, is_active) SELECT id, sku, is_active FROM added;
  UPDATE catalog_size SET active_variants = active_variants + n.added
  FROM (SELECT count(*) AS added FROM added WHERE is_active) n WHERE n.added > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER variants_inserted AFTER INSERT ON variants
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION variants_inserted();

CREATE FUNCTION variants_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO price_changes (variant_id, old_price, new_price)
  SELECT n.id, o.list_price, n.list_price FROM was o JOIN now_is n USING (id) WHERE o.list_price <> n.list_price;
  UPDATE variant_stock t SET sku = n.sku, is_active = n.is_active
  FROM was o JOIN now_is n USING (id)
  WHERE t.variant_id = n.id AND (o.is_active <> n.is_active OR o.sku <> n.sku);
  UPDATE variant_sales_total t SET is_active = n.is_active
  FROM was o JOIN now_is n USING (id)
  WHERE t.variant_id = n.id AND o.is_active <> n.is_active;
  UPDATE catalog_size SET active_variants = active_variants + d.more
  FROM (SELECT coalesce(sum(n.is_active::int - o.is_active::int), 0) AS more FROM was o JOIN now_is n USING (id)) d
  WHERE d.more <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER variants_updated AFTER UPDATE ON variants
  REFERENCING OLD TABLE AS was NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION variants_updated();

CREATE FUNCTION variants_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE catalog_size SET active_variants = active_variants - d.gone
  FROM (SELECT count(*) AS gone FROM was WHERE is_active) d WHERE d.gone > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER variants_deleted AFTER DELETE ON variants
  REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION variants_deleted();

-- ---- Stock ----

-- What happens when a variant's available quantity has risen from 0, in the transaction in which it did; called once for
-- each rise, whoever changed the stock. Back-in-stock registrations give it its body.
CREATE FUNCTION scent_back_in_stock(p_variant_id uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
END $$;

CREATE FUNCTION variant_stock_risen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_WHEN = 'BEFORE' THEN
    NEW.restocked_at := clock_timestamp();
    RETURN NEW;
  END IF;
  PERFORM scent_back_in_stock(NEW.variant_id);
  RETURN NULL;
END $$;
CREATE TRIGGER variant_stock_restocked BEFORE UPDATE OF on_hand, reserved ON variant_stock
  FOR EACH ROW WHEN (OLD.on_hand = OLD.reserved AND NEW.on_hand > NEW.reserved) EXECUTE FUNCTION variant_stock_risen();
CREATE TRIGGER variant_stock_back_in_stock AFTER UPDATE OF on_hand, reserved ON variant_stock
  FOR EACH ROW WHEN (OLD.on_hand = OLD.reserved AND NEW.on_hand > NEW.reserved) EXECUTE FUNCTION variant_stock_risen();

-- ---- Sales ----

-- Counts units sold today (UTC) towards best sellers; call it once for each line of a committed checkout.
CREATE FUNCTION scent_count_sale(p_variant_id uuid, p_units integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO variant_sales AS s (variant_id, day, units)
  VALUES (p_variant_id, (clock_timestamp() AT TIME ZONE 'UTC')::date, p_units)
  ON CONFLICT (variant_id, day) DO UPDATE SET units = s.units + excluded.units;
$$;

CREATE FUNCTION variant_sales_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid := coalesce(NEW.variant_id, OLD.variant_id);
  v_delta integer := coalesce(NEW.units, 0) - coalesce(OLD.units, 0);
BEGIN
  UPDATE variant_sales_total SET units = units + v_delta WHERE variant_id = v_id;
  IF NOT FOUND AND v_delta > 0 THEN
    INSERT INTO variant_sales_total AS t (variant_id, units, is_active)
    SELECT v.id, v_delta, v.is_active FROM variants v WHERE v.id = v_id
    ON CONFLICT (variant_id) DO UPDATE SET units = t.units + excluded.units;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER variant_sales_changed AFTER INSERT OR UPDATE OR DELETE ON variant_sales
  FOR EACH ROW EXECUTE FUNCTION variant_sales_changed();

-- ---- Reading ----

-- The caller's price before VAT (spec §5.3): the one set for the partner, else for the nearest ancestor that has one,
-- else the catalog's. p_path goes from the root down to the partner. Made to be joined: CROSS JOIN LATERAL
-- scent_caller_price(v.id, v.catalog_price, $path) p, which the planner takes into its statement.
CREATE FUNCTION scent_caller_price(p_variant_id uuid, p_catalog_price numeric, p_path uuid[])
RETURNS TABLE (list_price numeric) LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT coalesce(
    (SELECT p.list_price FROM partner_prices p
     WHERE p.variant_id = p_variant_id AND p.partner_id = ANY (p_path)
     ORDER BY array_position(p_path, p.partner_id) DESC LIMIT 1),
    p_catalog_price)
$$;

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
                   SELECT -o.units, o.variant_id FROM variant_sales_total o
                   WHERE o.is_active AND o.units > 0
                   ORDER BY o.units DESC, o.variant_id
                   OFFSET (SELECT greatest((c.active_variants + 9) / 10 - 1, 0) FROM catalog_size c) LIMIT 1
                 ), true) END
          FROM variant_sales_total k WHERE k.variant_id = v.id),
         false) AS is_best_seller,
       EXISTS (
         SELECT 1 FROM variants x JOIN variant_stock xs ON xs.variant_id = x.id
         WHERE x.scent_id = v.scent_id AND x.is_sample AND x.is_active AND xs.on_hand > xs.reserved
       ) AS has_available_sample
FROM variants v
JOIN scents s ON s.id = v.scent_id
JOIN brands b ON b.id = v.brand_id
JOIN warehouses w ON w.id = v.warehouse_id
JOIN variant_stock t ON t.variant_id = v.id;
