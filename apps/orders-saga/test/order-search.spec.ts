import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@reseller/database';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { v4 as uuid, v7 as newId } from 'uuid';
import { OrderSearchRepository, type OperatorFilter } from '../src/operations/order-search.repository';
import { orderGlobalId } from '../src/order/domain/order-id';
import { PRODUCTS } from '../src/products';
import { MIGRATIONS } from './start-orders';

const PARTNERS = [uuid(), uuid()] as const;
const PHONES = ['+966500000001', '+966500000002'];
// One begins as the other goes on, as a key of the other's order could.
const REFERENCES = ['INV 1', 'INV 1 Topup live', 'INV', 'inv 1'];
const MOMENTS = ['2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00.000Z', '2026-11-21T00:00:00.001Z'];

const anOrder = fc.record({
  partnerId: fc.constantFrom(...PARTNERS),
  environment: fc.constantFrom('sandbox' as const, 'live' as const),
  product: fc.constantFrom('Topup', 'Esim', 'Scent'),
  status: fc.constantFrom('Pending' as const, 'Completed' as const),
  at: fc.constantFrom(...MOMENTS),
  externalReference: fc.constantFrom(...REFERENCES),
  phoneNumber: fc.constantFrom(...PHONES),
});
type Made = typeof anOrder extends fc.Arbitrary<infer T> ? T & { id: string; globalId: string } : never;

const INSERT = `INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product,
    external_reference, request, geo_scope_global_id, amount, currency, status, submitted_at, completed_at)
  SELECT id, "globalId", id::text, "partnerId", 'P', environment, product, "externalReference",
    CASE product WHEN 'Topup' THEN jsonb_build_object('phoneNumber', "phoneNumber") ELSE '{}' END,
    CASE product WHEN 'Scent' THEN NULL ELSE 'GEO-SA' END, 10, 'SAR', status, at, at
  FROM jsonb_to_recordset($1::jsonb) AS o (id uuid, "globalId" text, "partnerId" uuid, environment text, product text,
    "externalReference" text, "phoneNumber" text, status text, at timestamptz)
  ON CONFLICT DO NOTHING RETURNING id`;
/** Every order under way has a saga that is not finished. */
const BEGIN_SAGAS = `INSERT INTO sagas (order_id, state, lease_epoch, wake_at)
  SELECT id, 'Active', 1, now() FROM orders WHERE status = 'Pending'`;

let database: TestDatabase;
let search: OrderSearchRepository;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  for (const trigger of ['orders_moves', 'orders_first_status', 'orders_withdrawal'])
    await database.pool.query(`ALTER TABLE orders DISABLE TRIGGER ${trigger}`);
  search = new OrderSearchRepository(database.pool, PRODUCTS);
});
afterAll(() => database.drop());

/** Those that are there; of several with one key the first. */
async function make(orders: readonly Omit<Made, 'id' | 'globalId'>[]): Promise<Made[]> {
  await database.pool.query('TRUNCATE orders, sagas CASCADE');
  const given = orders.map((order) => {
    const id = newId();
    return { ...order, id, globalId: orderGlobalId('TU', id) };
  });
  const { rows } = await database.pool.query<{ id: string }>(INSERT, [JSON.stringify(given)]);
  await database.pool.query(BEGIN_SAGAS);
  const ids = new Set(rows.map(({ id }) => id));
  return given.filter(({ id }) => ids.has(id));
}

function fits(order: Made, filter: OperatorFilter): boolean {
  const { partnerId, environment, product, status, fromAt, toAt, orderGlobalId, externalReference } = filter;
  const is = <T>(wanted: T | undefined, found: T): boolean => wanted === undefined || wanted === found;
  const at = Date.parse(order.at);
  return (
    is(partnerId, order.partnerId) &&
    is(environment, order.environment) &&
    is(product, order.product) &&
    is(status, order.status) &&
    is(orderGlobalId, order.globalId) &&
    is(externalReference, order.externalReference) &&
    (filter.phoneNumber === undefined ||
      (order.product === 'Topup' && is(filter.phoneNumber, order.phoneNumber))) &&
    (fromAt === undefined || at >= fromAt.getTime()) &&
    (toAt === undefined || at < toAt.getTime()) &&
    // Not priced yet, so in no list (spec §7.3).
    !(order.product === 'Scent' && order.status === 'Pending')
  );
}

const maybe = <T>(arb: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arb, { nil: undefined });
const moment = maybe(fc.constantFrom(...MOMENTS).map((at) => new Date(at)));
const aFilter = fc.record({
  partnerId: maybe(fc.constantFrom(...PARTNERS)),
  environment: maybe(fc.constantFrom('sandbox' as const, 'live' as const)),
  product: maybe(fc.constantFrom('Topup', 'Esim', 'Scent')),
  status: maybe(fc.constantFrom('Pending' as const, 'Completed' as const)),
  fromAt: moment,
  toAt: moment,
  externalReference: maybe(fc.constantFrom(...REFERENCES, 'nobody’s')),
  phoneNumber: maybe(fc.constantFrom(...PHONES, '+966599999999')),
  nth: maybe(fc.nat(40)),
});

const newestFirst = (a: Made, b: Made): number =>
  Date.parse(b.at) - Date.parse(a.at) || (a.id < b.id ? 1 : -1);

describe('what operators look for (spec §18.7)', () => {
  it('when filters are combined, then the list and its total are those of a plain filter', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anOrder, { minLength: 30, maxLength: 30 }),
        fc.array(aFilter, { minLength: 30, maxLength: 30 }),
        async (orders, filters) => {
          const made = await make(orders);
          for (const { nth, ...narrow } of filters) {
            const orderGlobalId = nth === undefined ? undefined : (made[nth]?.globalId ?? 'TU-nobody');
            const filter = { ...narrow, orderGlobalId };
            const expected = made.filter((order) => fits(order, filter)).sort(newestFirst);
            const list = await search.list(filter, { page: 1, pageSize: 3 });
            const isKeyed = [orderGlobalId, narrow.externalReference, narrow.phoneNumber].some(Boolean);
            const found = list && { total: list.page.totalCount, ids: list.orders.map(({ id }) => id) };
            const wanted = { total: expected.length, ids: expected.slice(0, 3).map(({ id }) => id) };
            expect({ filter, found }).toEqual({ filter, found: isKeyed ? wanted : undefined });
          }
        },
      ),
      { numRuns: 15, endOnFailure: true },
    );
  }, 120_000);

  it('when a page lies past the end, then it is empty and the total stands', async () => {
    const order = {
      partnerId: PARTNERS[0],
      environment: 'live',
      product: 'Topup',
      status: 'Completed',
    } as const;
    await make([{ ...order, at: MOMENTS[0]!, externalReference: 'A', phoneNumber: PHONES[0]! }]);
    const list = await search.list({ phoneNumber: PHONES[0] }, { page: 2, pageSize: 20 });
    expect(list).toMatchObject({ orders: [], page: { page: 2, totalCount: 1 } });
  });

  it('when there are many orders and no statistics, then no way to an order reads the whole table', async () => {
    // One connection, and a transaction for each look, so that what it reads is counted: others say late what they have read.
    const pool = createPool({ connectionString: database.url, max: 1, name: 'counted', log: silentLog });
    await pool.query('TRUNCATE orders, sagas CASCADE');
    await pool.query(
      `INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product, external_reference,
         request, geo_scope_global_id, amount, currency, status, submitted_at, completed_at, vendor_order_id)
       SELECT uuidv7(n * interval '1 second'), 'TU-' || n, CASE WHEN n = 776 THEN 'saga-776' ELSE uuidv7(n * interval '1 second')::text END,
         $1, 'P', 'live', 'Topup', 'ref-' || n,
         jsonb_build_object('phoneNumber', '+9665' || n, 'sagaId', CASE WHEN n = 776 THEN 'saga-776' END),
         'GEO-SA', 10, 'SAR', CASE WHEN n < 10 THEN 'Pending' ELSE 'Completed' END, clock_timestamp(), clock_timestamp(), 'vendor-' || n
       FROM generate_series(1, 20000) AS n`,
      [PARTNERS[0]],
    );
    await pool.query(BEGIN_SAGAS);
    const { rows } = await pool.query<{ saga: string }>(
      `SELECT saga_id AS saga FROM orders WHERE external_reference = 'ref-777'`,
    );
    const single = new OrderSearchRepository(pool, PRODUCTS);
    try {
      for (const look of [
        () => single.search('saga-776', 20),
        () => single.search(rows[0]!.saga, 20),
        () => single.search('vendor-7', 20),
        () => single.search('vendor-777', 20),
        () => single.search('ref-777', 20),
        () => single.search('+9665777', 20),
        async () => (await single.list({ phoneNumber: '+96657' }, undefined))?.orders,
        async () => (await single.list({ phoneNumber: '+9665777' }, undefined))?.orders,
        async () => (await single.list({ externalReference: 'ref-777' }, undefined))?.orders,
      ]) {
        await pool.query('SELECT pg_stat_force_next_flush()');
        await pool.query('BEGIN');
        expect(await look()).toHaveLength(1);
        const { wholeTable, rows: fetched } = await readInTransaction(pool);
        await pool.query('ROLLBACK');
        expect(wholeTable).toBe(0);
        // Those under way, and those that fit.
        expect(fetched).toBeLessThan(100);
      }
    } finally {
      await pool.end();
    }
  });
});

/** How often this transaction has read orders as a whole, and rows of it by an index. */
async function readInTransaction(pool: Pool): Promise<{ wholeTable: number; rows: number }> {
  const { rows } = await pool.query<{ wholeTable: number; rows: number }>(
    `SELECT seq_scan::int AS "wholeTable", idx_tup_fetch::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'orders'`,
  );
  return rows[0]!;
}
