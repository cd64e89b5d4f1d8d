import { createPrismaAdapter } from '@reseller/database';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Pool } from 'pg';
import { PrismaClient } from '../src/generated/prisma/client';
import type { PartnerScope } from '../src/partner-scope';

/** A database with scent-commerce's tables and nothing in them. */
export const createShopDatabase = (): Promise<TestDatabase> =>
  createTestDatabase({ migrations: path.join(__dirname, '../prisma/migrations') });

/** A client over the pool; closing the pool is all it needs. */
export const createPrisma = (pool: Pool): PrismaClient =>
  new PrismaClient({ adapter: createPrismaAdapter(pool) });

/** A partner nobody else uses. */
export const newScope = (environment: PartnerScope['environment'] = 'sandbox'): PartnerScope => ({
  partnerId: randomUUID(),
  environment,
});

/** New variants of one new scent with so many units on hand each; answers their ids, ascending. */
export async function newVariants(pool: Pool, onHand: readonly number[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH warehouse AS (INSERT INTO warehouses (code, name) VALUES ('W-' || $1, 'Warehouse') RETURNING id),
          brand AS (INSERT INTO brands (name) VALUES ('Brand ' || $1) RETURNING id),
          scent AS (INSERT INTO scents (brand_id, name, gender, concentration)
                    SELECT id, 'Scent ' || $1, 'Unisex', 'Eau de Parfum' FROM brand RETURNING id)
     INSERT INTO variants (scent_id, warehouse_id, sku, size_ml, list_price, cost, tax_classification)
     SELECT scent.id, warehouse.id, 'SKU-' || $1 || '-' || n, 50, 100, 50, 'STANDARD'
     FROM scent, warehouse, generate_series(1, $2::int) AS n RETURNING id`,
    [randomUUID(), onHand.length],
  );
  const ids = rows.map(({ id }) => id).sort();
  await pool.query(
    `UPDATE variant_stock t SET on_hand = w.on_hand FROM unnest($1::uuid[], $2::int[]) AS w (id, on_hand) WHERE t.variant_id = w.id`,
    [ids, onHand],
  );
  return ids;
}

/** What the stock of variants holds, in the order of the ids given. */
export async function stockOf(
  pool: Pool,
  variantIds: readonly string[],
): Promise<{ onHand: number; reserved: number }[]> {
  const { rows } = await pool.query<{ onHand: number; reserved: number }>(
    `SELECT t.on_hand AS "onHand", t.reserved FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, position)
     JOIN variant_stock t ON t.variant_id = w.id ORDER BY w.position`,
    [variantIds],
  );
  return rows;
}
