import type { TestDatabase } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';

type Database = Pick<TestDatabase, 'pool'>;

/** What a variant of a test is like, where it matters. */
interface VariantDraft {
  scentId?: string;
  sku?: string;
  sizeMl?: number;
  listPrice?: string;
  cost?: string;
  rrp?: string | null;
  taxClassification?: 'STANDARD' | 'ZERO';
  isSample?: boolean;
  isActive?: boolean;
  warehouse?: string;
  onHand?: number;
  reserved?: number;
  /** Long enough ago to be no new arrival by default. */
  firstOfferedDaysAgo?: number;
}

/** Makes a brand; its name is unique by default. */
export async function addBrand({ pool }: Database, name = `Brand ${uuidv7()}`): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('INSERT INTO brands (name) VALUES ($1) RETURNING id', [
    name,
  ]);
  return rows[0]?.id ?? '';
}

/** Makes a scent of a brand, a new one by default. */
export async function addScent(
  database: Database,
  { brandId, name = `Scent ${uuidv7()}` }: { brandId?: string; name?: string } = {},
): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO scents (brand_id, brand_name, name, description, notes, gender, concentration)
     SELECT id, name, $2, 'Warm.', '{amber,oud}', 'Unisex', 'Eau de Parfum' FROM brands WHERE id = $1 RETURNING id`,
    [brandId ?? (await addBrand(database)), name],
  );
  return rows[0]?.id ?? '';
}

/** Makes a variant with its stock; of a new scent by default. */
export async function addVariant(database: Database, draft: VariantDraft = {}): Promise<string> {
  const { pool } = database;
  const { warehouse = 'W1', onHand = 10, reserved = 0, firstOfferedDaysAgo = 400 } = draft;
  await pool.query('INSERT INTO warehouses (code, name) VALUES ($1, $1) ON CONFLICT DO NOTHING', [warehouse]);
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO variants (scent_id, brand_id, warehouse_id, sku, size_ml, list_price, cost, rrp, tax_classification, is_sample,
       is_active, first_offered_at)
     SELECT s.id, s.brand_id, w.id, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp() - make_interval(days => $11)
     FROM scents s, warehouses w WHERE s.id = $1 AND w.code = $2 RETURNING id`,
    [
      draft.scentId ?? (await addScent(database)),
      warehouse,
      draft.sku ?? `SKU-${uuidv7()}`,
      draft.sizeMl ?? 50,
      draft.listPrice ?? '100.00',
      draft.cost ?? '40.00',
      draft.rrp ?? null,
      draft.taxClassification ?? 'STANDARD',
      draft.isSample ?? false,
      draft.isActive ?? true,
      firstOfferedDaysAgo,
    ],
  );
  const id = rows[0]?.id ?? '';
  await pool.query('UPDATE stock_levels SET on_hand = $2, reserved = $3 WHERE variant_id = $1', [
    id,
    onHand,
    reserved,
  ]);
  return id;
}

/** Sets what a partner pays. */
export async function setPrice(
  { pool }: Database,
  { variantId, partnerId, listPrice }: { variantId: string; partnerId: string; listPrice: string },
): Promise<void> {
  await pool.query('INSERT INTO partner_prices (variant_id, partner_id, list_price) VALUES ($1, $2, $3)', [
    variantId,
    partnerId,
    listPrice,
  ]);
}

/** Counts units as sold, as a committed checkout does. */
export async function addSales(
  { pool }: Database,
  {
    variantId,
    units,
    daysAgo = 0,
    environment = 'live',
  }: { variantId: string; units: number; daysAgo?: number; environment?: 'sandbox' | 'live' },
): Promise<void> {
  await pool.query(
    `WITH sold AS (
       INSERT INTO daily_sales AS s (variant_id, environment, day, units)
       VALUES ($1, $4, (clock_timestamp() AT TIME ZONE 'UTC')::date - $3::int, $2)
       ON CONFLICT (variant_id, environment, day) DO UPDATE SET units = s.units + excluded.units
     )
     INSERT INTO sales_totals AS t (variant_id, environment, units, is_active)
     SELECT id, $4, $2, is_active FROM variants WHERE id = $1
     ON CONFLICT (variant_id, environment) DO UPDATE SET units = t.units + excluded.units`,
    [variantId, units, daysAgo, environment],
  );
}
