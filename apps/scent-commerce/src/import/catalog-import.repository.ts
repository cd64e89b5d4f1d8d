import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import { lowered, recordingPrices } from '../catalog/price-change.sql';
import { setStock, type StockEnvironment } from '../stock/stock.repository';
import type { CatalogRow } from './domain/catalog-row';

/** What a batch changed. */
interface BatchEffect {
  created: number;
  updated: number;
  /** Skus whose stock was left alone in some environments, with the most units that running orders have reserved there. */
  refusedStock: { sku: string; environments: StockEnvironment[]; reserved: number }[];
}

/** The stock of a variant that is there already, in one environment. */
interface KnownStock {
  variantId: string;
  sku: string;
  environment: StockEnvironment;
  was: number;
  /** What the file says of it; null where it says nothing. */
  onHand: number | null;
}

// Raw, all of them: a batch is 500 rows, and each statement writes them all.
const ROWS = `jsonb_to_recordset($1::jsonb) AS r(
  brand text, "brandCommissionRate" numeric, scent text, description text, notes text[], gender text, concentration text,
  sku text, "sizeMl" int, warehouse text, "warehouseName" text, "listPrice" numeric, cost numeric, rrp numeric,
  "taxClassification" text, "isSample" boolean, "isActive" boolean, "stockOnHand" int,
  environment text, "firstOfferedAt" timestamptz,
  "loweredFrom" numeric, "loweredAt" timestamptz)`;

// Two imports would lock brands, scents and warehouses in the order of their files.
const ONE_IMPORT: PreparedStatement = {
  name: 'import_one_at_a_time',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('catalog import', 0))`,
};

const LOCK_STOCK: PreparedStatement = {
  name: 'import_lock_stock',
  text: `SELECT FROM stock_levels t JOIN variants v ON v.id = t.variant_id WHERE v.sku = ANY ($1)
         ORDER BY t.variant_id, t.environment FOR NO KEY UPDATE OF t`,
};

const WAREHOUSES: PreparedStatement = {
  name: 'import_warehouses',
  text: `INSERT INTO warehouses AS w (code, name)
         SELECT DISTINCT ON (warehouse) warehouse, coalesce("warehouseName", warehouse) FROM ${ROWS}
         ORDER BY warehouse, "warehouseName" NULLS LAST
         ON CONFLICT (code) DO UPDATE SET name = excluded.name
         WHERE w.name <> excluded.name AND excluded.name <> excluded.code`,
};

const BRANDS: PreparedStatement = {
  name: 'import_brands',
  text: `INSERT INTO brands AS b (name, commission_rate)
         SELECT DISTINCT ON (brand) brand, "brandCommissionRate" FROM ${ROWS}
         ORDER BY brand, "brandCommissionRate" NULLS LAST
         ON CONFLICT (name) DO UPDATE SET commission_rate = excluded.commission_rate
         WHERE excluded.commission_rate IS DISTINCT FROM b.commission_rate AND excluded.commission_rate IS NOT NULL`,
};

const SCENTS: PreparedStatement = {
  name: 'import_scents',
  text: `INSERT INTO scents AS s (brand_id, brand_name, name, description, notes, gender, concentration)
         SELECT DISTINCT ON (b.id, r.scent) b.id, b.name, r.scent, coalesce(r.description, ''), coalesce(r.notes, '{}'), r.gender,
                r.concentration
         FROM ${ROWS} JOIN brands b ON b.name = r.brand
         ORDER BY b.id, r.scent, r.description NULLS LAST, r.notes NULLS LAST
         ON CONFLICT (brand_id, name) DO UPDATE
         SET description = CASE excluded.description WHEN '' THEN s.description ELSE excluded.description END,
             notes = CASE excluded.notes WHEN '{}' THEN s.notes ELSE excluded.notes END,
             gender = excluded.gender, concentration = excluded.concentration
         WHERE (s.gender, s.concentration) IS DISTINCT FROM (excluded.gender, excluded.concentration)
            OR excluded.description NOT IN ('', s.description) OR excluded.notes NOT IN ('{}', s.notes)`,
};

const KNOWN_STOCK: PreparedStatement = {
  name: 'import_known_stock',
  text: `SELECT t.variant_id AS "variantId", v.sku, t.environment, t.on_hand AS was,
           CASE WHEN t.environment = coalesce(r.environment, t.environment) THEN r."stockOnHand" END AS "onHand"
         FROM ${ROWS} JOIN variants v ON v.sku = r.sku JOIN stock_levels t ON t.variant_id = v.id
         ORDER BY t.variant_id, t.environment FOR NO KEY UPDATE OF t`,
};

const VARIANTS: PreparedStatement = {
  name: 'import_variants',
  text: `INSERT INTO variants AS v (scent_id, brand_id, warehouse_id, sku, size_ml, list_price, cost, rrp,
           tax_classification, is_sample, is_active, first_offered_at, lowered_from, lowered_at)
         SELECT s.id, b.id, w.id, r.sku, r."sizeMl", r."listPrice", r.cost, r.rrp,
                coalesce(r."taxClassification", 'STANDARD'), coalesce(r."isSample", false), coalesce(r."isActive", true),
                coalesce(r."firstOfferedAt", clock_timestamp()), r."loweredFrom", r."loweredAt"
         FROM ${ROWS}
         JOIN brands b ON b.name = r.brand
         JOIN scents s ON s.brand_id = b.id AND s.name = r.scent
         JOIN warehouses w ON w.code = r.warehouse
         ORDER BY r.sku
         ON CONFLICT (sku) DO NOTHING
         RETURNING v.id, v.sku, v.list_price, v.lowered_from, v.lowered_at`,
};

/** When a variant was first offered and last lowered is history by now, so the file's dates are for new ones only. */
const UPDATE_VARIANTS: PreparedStatement = {
  name: 'import_update_variants',
  text: recordingPrices(
    `SELECT v.id, v.sku, v.list_price FROM ${ROWS} JOIN variants v ON v.sku = r.sku FOR NO KEY UPDATE OF v`,
    `
         UPDATE variants v
         SET scent_id = w.scent_id, brand_id = w.brand_id, warehouse_id = w.warehouse_id, size_ml = w."sizeMl",
             list_price = w."listPrice", ${lowered('w."listPrice"')}, cost = w.cost, rrp = coalesce(w.rrp, v.rrp),
             tax_classification = coalesce(w."taxClassification", v.tax_classification),
             is_sample = coalesce(w."isSample", v.is_sample), is_active = coalesce(w."isActive", v.is_active)
         FROM (
           SELECT r.*, s.id AS scent_id, b.id AS brand_id, h.id AS warehouse_id
           FROM ${ROWS}
           JOIN brands b ON b.name = r.brand
           JOIN scents s ON s.brand_id = b.id AND s.name = r.scent
           JOIN warehouses h ON h.code = r.warehouse
         ) w JOIN before ON before.sku = w.sku
         WHERE v.id = before.id
           AND (v.scent_id, v.warehouse_id, v.size_ml, v.list_price, v.cost, v.rrp, v.tax_classification, v.is_sample,
                v.is_active)
             IS DISTINCT FROM
               (w.scent_id, w.warehouse_id, w."sizeMl", w."listPrice", w.cost, coalesce(w.rrp, v.rrp),
                coalesce(w."taxClassification", v.tax_classification), coalesce(w."isSample", v.is_sample),
                coalesce(w."isActive", v.is_active))`,
  ),
};

/** A new variant's first units are no restocking, and nobody waits for it yet. */
const FILL_STOCK: PreparedStatement = {
  name: 'import_fill_stock',
  text: `UPDATE stock_levels t SET on_hand = r."stockOnHand"
         FROM ${ROWS} JOIN variants v ON v.sku = r.sku
         WHERE t.variant_id = v.id AND v.id = ANY ($2::uuid[]) AND r."stockOnHand" > 0
           AND t.environment = coalesce(r.environment, t.environment)`,
};

const LOWERED: PreparedStatement = {
  name: 'import_lowered',
  text: `INSERT INTO price_changes (variant_id, old_price, new_price, changed_at)
         SELECT id, lowered_from, list_price, lowered_at FROM variants
         WHERE id = ANY ($1::uuid[]) AND lowered_at IS NOT NULL`,
};

/**
 * Locks the stock of all that a transaction of several batches will change, in the order in which everybody locks it; one
 * import at a time. A transaction of one batch needs only that batch.
 */
export async function lockStock(tx: Queryable, skus: readonly string[]): Promise<void> {
  await query(tx, ONE_IMPORT);
  await query(tx, LOCK_STOCK, [skus]);
}

/** Writes a batch of rows within a transaction; every sku of it only once. Stock is locked before anything else. */
export async function writeBatch(tx: Queryable, rows: readonly CatalogRow[]): Promise<BatchEffect> {
  const batch = JSON.stringify(rows);
  await query(tx, ONE_IMPORT);
  const { changed: restocked, refusedStock } = await setBatchStock(tx, batch);
  for (const statement of [WAREHOUSES, BRANDS, SCENTS]) await query(tx, statement, [batch]);
  const changed = await query<{ id: string }>(tx, UPDATE_VARIANTS, [batch]);
  const created = await query<{ id: string }>(tx, VARIANTS, [batch]);
  if (created.length > 0) {
    const ids = created.map(({ id }) => id);
    await query(tx, FILL_STOCK, [batch, ids]);
    await query(tx, LOWERED, [ids]);
  }
  const updated = new Set([...restocked, ...changed.map(({ id }) => id)]);
  return { created: created.length, updated: updated.size, refusedStock };
}

/** Sets the stock of variants that are there already, and locks it; one with more units reserved is left alone. */
async function setBatchStock(
  tx: Queryable,
  batch: string,
): Promise<Pick<BatchEffect, 'refusedStock'> & { changed: string[] }> {
  const known = await query<KnownStock>(tx, KNOWN_STOCK, [batch]);
  const wanted = known.map(({ onHand, ...stock }) => ({ ...stock, onHand: onHand ?? undefined }));
  const refused = await setStock(tx, wanted);
  const isRefused = ({ variantId, environment }: KnownStock): boolean =>
    refused.some((level) => level.variantId === variantId && level.environment === environment);
  const changed = known.filter(
    (stock) => stock.onHand !== null && stock.onHand !== stock.was && !isRefused(stock),
  );
  const skus = new Map(known.map(({ variantId, sku }) => [variantId, sku]));
  const refusedStock = [...skus].flatMap(([variantId, sku]) => {
    const levels = refused.filter((level) => level.variantId === variantId);
    if (levels.length === 0) return [];
    const environments = levels.map(({ environment }) => environment);
    return [{ sku, environments, reserved: Math.max(...levels.map(({ reserved }) => reserved)) }];
  });
  return { changed: changed.map(({ variantId }) => variantId), refusedStock };
}

// Raw: VACUUM has no other form.
const SETTLE = 'VACUUM (ANALYZE) brands, scents, variants, stock_levels';

/**
 * Has the lists that count the available variants read an index alone from now on, and not from autovacuum's next turn on. Needs the
 * tables' owner, as the migrations do; anybody else gets a warning of the database's.
 */
export async function settleCatalog(pool: Queryable): Promise<void> {
  await pool.query(SETTLE);
}
