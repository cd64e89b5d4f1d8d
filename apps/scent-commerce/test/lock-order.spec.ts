import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withTransaction } from '@reseller/database';
import type { TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { forgetOldSales } from '../src/catalog/forget-old-sales';
import type { StockLine } from '../src/checkout/checkout.repository';
import { deleteDiscountCode } from '../src/discount/delete-discount-code';
import { DiscountCodeRepository } from '../src/discount/discount-code.repository';
import { createDiscountCode } from '../src/discount/save-discount-code';
import { importCatalog } from '../src/import/import-catalog';
import { StockedVariantRepository } from '../src/operations/stocked-variant.repository';
import { ENVIRONMENTS, setStock } from '../src/stock/stock.repository';
import {
  createPrisma,
  createScentDatabase,
  newOwner,
  newVariants,
  ordersOf,
  racingPool,
  stockOf,
} from './scent-database';

const ON_HAND = 120;
let database: TestDatabase;
beforeAll(async () => {
  database = await createScentDatabase();
});
afterAll(() => database.drop());

const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);

/** Puts a variant on or off sale as an operator does, its stock left alone. */
const putOnSale = (pool: Pool, variantId: string, isActive: boolean) =>
  withTransaction(pool, async (tx) => {
    await setStock(
      tx,
      ENVIRONMENTS.map((environment) => ({ variantId, environment })),
    );
    await new StockedVariantRepository(createPrisma(pool), pool).change(tx, variantId, { isActive });
  });

const TERMS = {
  discountType: 'Percent',
  value: '10.00',
  validFrom: null,
  validTo: null,
  isActive: true,
  totalUsageCap: null,
  perCustomerCap: null,
  productScope: 'All',
  minOrderValue: null,
} as const;

/** Units that orders hold or have bought, less those that are back. */
const unitsOut = async (state: string): Promise<Map<string, number>> => {
  const { rows } = await database.pool.query<{ id: string; units: number }>(
    `SELECT variant_id AS id, sum(quantity - restocked)::int AS units FROM stock_reservations JOIN checkouts USING (order_key)
     WHERE state = $1 GROUP BY 1`,
    [state],
  );
  return new Map(rows.map(({ id, units }) => [id, units]));
};

describe('locks of checkouts (spec §7.2)', () => {
  it('when checkouts of the same variants in any order meet restocks, changes and deleted codes, then none deadlocks and stock is exact', async () => {
    const race = racingPool(database);
    const variants = await newVariants(
      database.pool,
      Array.from({ length: 8 }, () => ON_HAND),
    );
    const owner = newOwner();
    const codes = new DiscountCodeRepository(createPrisma(race.pool), race.pool);
    // As many instances of the service, whose statements for several orders meet.
    const instances = Array.from({ length: 3 }, () => ordersOf(race.pool, owner));
    const newCode = () =>
      createDiscountCode(codes, owner, {
        code: randomUUID().toUpperCase(),
        terms: { ...TERMS, scopedVariantIds: [] },
      });
    const order = async (at: number, codeId: string) => {
      const key = randomUUID();
      const orders = instances[at % instances.length]!;
      const lines: StockLine[] = shuffled(variants)
        .slice(0, 5)
        .map((variantId) => ({ variantId, quantity: 1 + (at % 3) }));
      const { outcome } = await orders.begin(key, lines, at % 2 === 0 ? { codeId } : {});
      if (outcome !== 'Begun') return;
      if (at % 3 === 0) return orders.cancel(key);
      await orders.commit(key);
      if (at % 3 === 1) await orders.restock(key, 'group', shuffled(lines));
    };
    for (let round = 0; round < 4; round += 1) {
      const { id } = await newCode();
      await Promise.all([
        ...Array.from({ length: 60 }, (_, at) => order(at, id)),
        ...shuffled(variants).map((variantId) => putOnSale(race.pool, variantId, round % 2 === 1)),
        deleteDiscountCode(codes, owner, id).catch((error: { code?: string }) =>
          expect(error.code).toBe('CONFLICT_DISCOUNT_CODE_REDEEMED'),
        ),
      ]);
    }
    expect(await race.end()).toBe(0);
    const [held, sold] = [await unitsOut('Begun'), await unitsOut('Committed')];
    expect(sold.size).toBeGreaterThan(0);
    expect(await stockOf(database.pool, variants)).toEqual(
      variants.map((id) => ({ onHand: ON_HAND - (sold.get(id) ?? 0), reserved: held.get(id) ?? 0 })),
    );
  });
});

/** Sales of every variant that no longer count, and their sums, which lie in the table in any order. */
const addOldSales = (pool: Pool, variantIds: readonly string[]) =>
  pool.query(
    `WITH sold AS (
       INSERT INTO daily_sales (variant_id, environment, day, units)
       SELECT id, e.environment, current_date - 40, 1 FROM unnest($1::uuid[]) AS v (id)
       CROSS JOIN (VALUES ('live'), ('sandbox')) AS e (environment) ON CONFLICT DO NOTHING
       RETURNING variant_id, environment
     )
     INSERT INTO sales_totals AS t (variant_id, environment, units, is_active)
     SELECT variant_id, environment, 1, true FROM sold ORDER BY random()
     ON CONFLICT (variant_id, environment) DO UPDATE SET units = t.units + 1`,
    [variantIds],
  );

describe('locks of imports', () => {
  it('when imports put variants on and off sale while orders run, sales are forgotten and operators do the same, then none deadlocks', async () => {
    const race = racingPool(database);
    const variants = await newVariants(
      database.pool,
      Array.from({ length: 1_200 }, () => ON_HAND),
    );
    const { rows } = await database.pool.query<Record<string, unknown>>(
      `SELECT b.name AS brand, s.name AS scent, s.gender, s.concentration, v.sku, v.size_ml AS "sizeMl", w.code AS warehouse,
         v.list_price AS "listPrice", v.cost
       FROM variants v JOIN scents s ON s.id = v.scent_id JOIN brands b ON b.id = v.brand_id JOIN warehouses w ON w.id = v.warehouse_id
       WHERE v.id = ANY ($1)`,
      [variants],
    );
    const folder = mkdtempSync(path.join(os.tmpdir(), 'locks-'));
    const importAll = (name: string, isActive: boolean, allOrNothing: boolean) => {
      const file = path.join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(shuffled(rows).map((row) => ({ ...row, isActive }))));
      return importCatalog(race.pool, { file, allOrNothing, dryRun: false, now: new Date() });
    };
    const orders = ordersOf(race.pool);
    const order = async (at: number) => {
      const key = randomUUID();
      const lines = shuffled(variants)
        .slice(0, 20)
        .map((variantId) => ({ variantId, quantity: 1 }));
      const { outcome } = await orders.begin(key, lines);
      if (outcome === 'Begun') await (at % 2 === 0 ? orders.commit(key) : orders.cancel(key));
    };
    try {
      for (let round = 0; round < 2; round += 1) {
        const isActive = round % 2 === 1;
        await addOldSales(database.pool, variants);
        let isImporting = true;
        const meanwhile = async (work: (at: number) => Promise<unknown>) => {
          for (let at = 0; isImporting; at += 1) await work(at);
        };
        const imports = Promise.all([
          importAll('whole', isActive, true),
          importAll('batches', !isActive, false),
        ]).finally(() => (isImporting = false));
        await Promise.all([
          imports,
          ...Array.from({ length: 6 }, () => meanwhile(order)),
          meanwhile(() => putOnSale(race.pool, shuffled(variants)[0] ?? '', isActive)),
          meanwhile(() => forgetOldSales(race.pool)),
        ]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(await race.end()).toBe(0);
  });
});
