import { Checkout } from '@reseller/contracts';
import { createPool, createPrismaAdapter, withTransaction } from '@reseller/database';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Pool } from 'pg';
import { cancelCheckout } from '../src/checkout/cancel-checkout';
import { CheckoutRepository, type BeginResult, type StockLine } from '../src/checkout/checkout.repository';
import { commitCheckout } from '../src/checkout/commit-checkout';
import { restockUnits } from '../src/checkout/restock-units';
import { PrismaClient } from '../src/generated/prisma/client';
import type { Owner } from '../src/owner';
import { ENVIRONMENTS, setStock, type StockEnvironment } from '../src/stock/stock.repository';

/** The migrations that a test database starts from. */
export const MIGRATIONS = path.join(__dirname, '../prisma/migrations');

/** A database with scent-commerce's tables and nothing in them. */
export const createScentDatabase = (): Promise<TestDatabase> =>
  createTestDatabase({ migrations: MIGRATIONS });

/** A client over the pool; closing the pool is all it needs. */
export const createPrisma = (pool: Pool): PrismaClient =>
  new PrismaClient({ adapter: createPrismaAdapter(pool) });

/** A partner nobody else uses. */
export const newOwner = (environment: Owner['environment'] = 'sandbox'): Owner => ({
  partnerId: randomUUID(),
  environment,
});

/** New variants of one new scent with so many units on hand each, in both environments; returns their ids, ascending. */
export async function newVariants(pool: Pool, onHand: readonly number[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH warehouse AS (INSERT INTO warehouses (code, name) VALUES ('W-' || $1, 'Warehouse') RETURNING id),
          brand AS (INSERT INTO brands (name) VALUES ('Brand ' || $1) RETURNING id, name),
          scent AS (INSERT INTO scents (brand_id, brand_name, name, gender, concentration)
                    SELECT id, name, 'Scent ' || $1, 'Unisex', 'Eau de Parfum' FROM brand RETURNING id, brand_id)
     INSERT INTO variants (scent_id, brand_id, warehouse_id, sku, size_ml, list_price, cost, tax_classification)
     SELECT scent.id, scent.brand_id, warehouse.id, 'SKU-' || $1 || '-' || n, 50, 100, 50, 'STANDARD'
     FROM scent, warehouse, generate_series(1, $2::int) AS n RETURNING id`,
    [randomUUID(), onHand.length],
  );
  const ids = rows.map(({ id }) => id).sort();
  await pool.query(
    `UPDATE stock_levels t SET on_hand = w.on_hand FROM unnest($1::uuid[], $2::int[]) AS w (id, on_hand) WHERE t.variant_id = w.id`,
    [ids, onHand],
  );
  return ids;
}

/** What the stock of variants holds in an environment, in the order of the ids given. */
export async function stockOf(
  pool: Pool,
  variantIds: readonly string[],
  environment: StockEnvironment = 'sandbox',
): Promise<{ onHand: number; reserved: number }[]> {
  const { rows } = await pool.query<{ onHand: number; reserved: number }>(
    `SELECT t.on_hand AS "onHand", t.reserved FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, position)
     JOIN stock_levels t ON t.variant_id = w.id AND t.environment = $2 ORDER BY w.position`,
    [variantIds, environment],
  );
  return rows;
}

/** Sets what is on hand of a variant, as an operator does: in both environments unless one is named. */
export const setOnHand = (
  pool: Pool,
  variantId: string,
  onHand: number,
  environments = ENVIRONMENTS,
): Promise<void> =>
  withTransaction(pool, async (tx) => {
    const changes = environments.map((environment) => ({ variantId, environment, onHand }));
    const [refused] = await setStock(tx, changes);
    if (refused) throw new Error(`${refused.reserved} units are reserved`);
  });

/**
 * Connections of a race, on which a deadlock is found at once; ending them shows how many PostgreSQL has counted, those that
 * were tried again included.
 */
export function racingPool(database: TestDatabase): { pool: Pool; end: () => Promise<number> } {
  const connectionString = `${database.url}?options=-c%20deadlock_timeout%3D5ms`;
  const pool = createPool({ connectionString, max: 16, name: 'race', log: silentLog });
  const end = async (): Promise<number> => {
    await pool.end();
    let deadlocks = -1;
    // A session counts what it saw when it ends, which is a moment after its connection did.
    await eventually(async () => {
      const { rows } = await database.pool.query<{ sessions: number; deadlocks: number }>(
        `SELECT deadlocks::int, (SELECT count(*)::int FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'race') AS sessions
         FROM pg_stat_database WHERE datname = current_database()`,
      );
      if (rows[0]?.sessions !== 0) throw new Error('sessions of the race have not ended');
      deadlocks = rows[0].deadlocks;
    });
    return deadlocks;
  };
  return { pool, end };
}

/** The code that an order of a test redeems. */
export interface TestCode {
  codeId?: string;
  customerRef?: string | undefined;
}

/** Orders of one partner, each with a cart of its own, past pricing and RPC; those of one repository may go together. */
export function ordersOf(pool: Pool, owner: Owner = newOwner(), checkouts = new CheckoutRepository(pool)) {
  const carts = new Map<string, Promise<string>>();
  const cartOf = (orderKey: string, lines: readonly StockLine[]): Promise<string> => {
    const cart = carts.get(orderKey) ?? newCart(pool, owner, { customerRef: orderKey, lines });
    carts.set(orderKey, cart);
    return cart;
  };
  return {
    /** Makes the order's cart ahead of it. */
    fill: cartOf,
    async begin(orderKey: string, lines: readonly StockLine[], code: TestCode = {}): Promise<BeginResult> {
      const { codeId, customerRef } = code;
      const cartId = await cartOf(orderKey, lines);
      const checkout = Checkout.fromPartial({ orderKey, cartId, customerRef });
      return checkouts.begin(owner, { checkout, cartVersion: '0', codeId });
    },
    commit: (orderKey: string) => commitCheckout({ checkouts }, owner, orderKey),
    cancel: (orderKey: string) => cancelCheckout({ checkouts }, owner, orderKey),
    restock: (orderKey: string, restockKey: string, lines: readonly StockLine[]) =>
      restockUnits({ checkouts }, owner, { orderKey, restockKey, lines }),
  };
}

async function newCart(
  pool: Pool,
  { partnerId, environment }: Owner,
  { customerRef, lines }: { customerRef: string; lines: readonly StockLine[] },
): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH cart AS (
       INSERT INTO carts (partner_id, environment, customer_ref, line_count, had_lines)
       VALUES ($1, $2, $3, cardinality($4::uuid[]), true) RETURNING id
     ), filled AS (
       INSERT INTO cart_lines (cart_id, variant_id, quantity, position)
       SELECT cart.id, l.* FROM cart, unnest($4::uuid[], $5::int[]) WITH ORDINALITY AS l
     )
     SELECT id FROM cart`,
    [
      partnerId,
      environment,
      customerRef,
      lines.map(({ variantId }) => variantId),
      lines.map(({ quantity }) => quantity),
    ],
  );
  return rows[0]?.id ?? '';
}
