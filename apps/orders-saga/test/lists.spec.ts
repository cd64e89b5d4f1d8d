import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withTransaction } from '@reseller/database';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { v4 as uuid } from 'uuid';
import { foldOrderTotals } from '../src/order/order-totals.repository';
import { INSERT_ORDERS, list, listNaively, type ListedOrder, type ListQuery } from './list-model';
import { MIGRATIONS } from './start-orders';

const PARTNERS = [uuid(), uuid()];
const STATUSES = ['Pending', 'Processing', 'Completed', 'Failed', 'Cancelled'];
// Close to where spans begin and end, and a year apart.
const MOMENTS = [
  '2025-11-20T23:59:59.999999Z',
  '2025-11-21T00:00:00Z',
  '2026-10-22T23:30:00Z',
  '2026-10-23T00:00:00Z',
  '2026-11-20T23:59:59.999Z',
  '2026-11-21T00:00:00Z',
  '2026-11-21T00:00:00.001Z',
  '2026-11-21T00:59:59.999Z',
  '2026-11-21T01:00:00Z',
  '2026-11-21T13:17:00Z',
];

const partner = fc.constantFrom(...PARTNERS);
const environment = fc.constantFrom('sandbox', 'live');
const product = fc.constantFrom('Topup', 'Esim', 'Scent');
const status = fc.constantFrom(...STATUSES);
const moment = fc.constantFrom(...MOMENTS);
const orNull = <T>(arb: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arb, { nil: null });

const anOrder = fc.record({ partner, environment, product, status, at: moment });
const aQuery: fc.Arbitrary<ListQuery> = fc.record({
  partner: orNull(partner),
  environment: orNull(environment),
  product: orNull(product),
  status: orNull(status),
  from: orNull(moment),
  to: orNull(moment),
  limit: fc.integer({ min: 1, max: 7 }),
  offset: fc.integer({ min: 0, max: 12 }),
});

type Act =
  | { kind: 'make'; orders: ListedOrder[] }
  | { kind: 'move'; nth: number; to: string }
  | { kind: 'rekey'; nth: number; to: ListedOrder }
  | { kind: 'delete'; nth: number }
  | { kind: 'fold' };
const nth = fc.nat(30);
const anAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('make' as const), orders: fc.array(anOrder, { maxLength: 4 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), nth, to: status }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rekey' as const), nth, to: anOrder }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), nth }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'fold' as const }) },
);
/** Several acts of one transaction, which may come to nothing. */
const aTransaction = fc.record({
  acts: fc.array(anAct, { minLength: 1, maxLength: 3 }),
  ends: fc.nat(3).map((n) => n > 0),
});

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  await allowAnyMove(database);
});
afterAll(() => database.drop());

/** Totals count whatever is written, so these tests write what the saga may not, too. */
async function allowAnyMove({ pool }: TestDatabase): Promise<void> {
  for (const trigger of ['orders_moves', 'orders_first_status', 'orders_withdrawal'])
    await pool.query(`ALTER TABLE orders DISABLE TRIGGER ${trigger}`);
}

const NTH = 'id = (SELECT id FROM orders ORDER BY id OFFSET $1 LIMIT 1 FOR UPDATE SKIP LOCKED)';

async function perform(client: PoolClient, act: Act): Promise<void> {
  switch (act.kind) {
    case 'make':
      await client.query(INSERT_ORDERS, [JSON.stringify(act.orders)]);
      return;
    case 'move':
      await client.query(`UPDATE orders SET status = $2 WHERE ${NTH}`, [act.nth, act.to]);
      return;
    case 'rekey':
      await client.query(
        `UPDATE orders SET partner_id = $2, environment = $3, submitted_at = $4, status = $5 WHERE ${NTH}`,
        [act.nth, act.to.partner, act.to.environment, act.to.at, act.to.status],
      );
      return;
    case 'delete':
      await client.query(`DELETE FROM orders WHERE ${NTH}`, [act.nth]);
      return;
    case 'fold':
      await foldOrderTotals(client);
  }
}

/** Each writer's transactions one after the other, all writers at once; a rollback is what a crash leaves too. */
async function write(writers: { acts: Act[]; ends: boolean }[][]): Promise<void> {
  await Promise.all(
    writers.map(async (transactions) => {
      const client = await database.pool.connect();
      try {
        for (const { acts, ends } of transactions) {
          await client.query('BEGIN');
          for (const act of acts) await perform(client, act);
          await client.query(ends ? 'COMMIT' : 'ROLLBACK');
        }
      } finally {
        client.release();
      }
    }),
  );
}

async function compare(queries: readonly ListQuery[]): Promise<void> {
  const client = await database.pool.connect();
  try {
    for (const query of queries) {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const [received, expected] = [await list(client, query), await listNaively(client, query)];
      await client.query('COMMIT');
      expect({ query, ...received }).toEqual({ query, ...expected });
    }
  } finally {
    client.release();
  }
}

/** Rows of orders that this connection has read from the table so far. */
async function ordersRead(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ read: string }>(
    `SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = 'orders'`,
  );
  return Number(rows[0]?.read ?? 0);
}

describe('lists of orders', () => {
  it('when orders are made, moved and deleted by several at once, then each total and page is what counting and sorting gives', async () => {
    const writer = fc.array(aTransaction, { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anOrder, { minLength: 40, maxLength: 40 }),
        fc.array(writer, { minLength: 3, maxLength: 3 }),
        fc.array(aQuery, { minLength: 40, maxLength: 40 }),
        async (orders, writers, queries) => {
          await database.pool.query('TRUNCATE orders CASCADE');
          await database.pool.query(INSERT_ORDERS, [JSON.stringify(orders)]);
          await withTransaction(database.servicePool, foldOrderTotals);
          await Promise.all([write(writers), compare(queries)]);
          await compare(queries);
          await withTransaction(database.servicePool, foldOrderTotals);
          await compare(queries);
          const { rows } = await database.pool.query(
            `SELECT (SELECT count(*) FROM order_total_changes)::int AS waiting,
               (SELECT coalesce(sum(orders), 0) FROM order_totals WHERE level = 0)::int AS kept,
               (SELECT 2 * count(*) FROM orders)::int AS there`,
          );
          expect(rows[0]).toMatchObject({ waiting: 0, kept: rows[0].there });
        },
      ),
      // Without shrinking: a run waits for the database, and the first failure tells enough.
      { numRuns: 12, endOnFailure: true },
    );
  }, 120_000);

  it('when a history is long, then a page deep in it and its total read no more than the orders of an hour', async () => {
    await database.pool.query('TRUNCATE orders CASCADE');
    // Ten orders in each of a thousand hours, and no statistics.
    const end = Date.parse('2026-11-21T00:00:00Z');
    const one = { partner: PARTNERS[0], environment: 'sandbox', product: 'Topup', status: 'Completed' };
    const history = Array.from({ length: 10_000 }, (_, n) => ({
      ...one,
      at: new Date(end - (n + 1) * 360_000),
    }));
    await database.pool.query(INSERT_ORDERS, [JSON.stringify(history)]);
    await withTransaction(database.servicePool, foldOrderTotals);
    const any = { product: null, status: null, environment: null, from: null, to: null, limit: 20 };
    const client = await database.pool.connect();
    try {
      for (const narrow of [
        { partner: PARTNERS[0]!, environment: 'sandbox' },
        { partner: PARTNERS[0]!, environment: 'sandbox', status: 'Completed' },
        { partner: PARTNERS[0]!, environment: 'sandbox', product: 'Topup', status: 'Completed' },
        { partner: PARTNERS[0]!, to: '2026-11-20T13:17:00Z', from: '2026-10-20T13:17:00Z' },
        { partner: null },
        { partner: null, status: 'Completed' },
      ]) {
        for (const offset of [0, 7_000]) {
          await client.query('BEGIN');
          const before = await ordersRead(client);
          const { ids } = await list(client, { ...any, ...narrow, offset });
          const read = (await ordersRead(client)) - before;
          await client.query('COMMIT');
          expect(ids).toHaveLength(20);
          expect({ narrow, offset, isShort: read <= 60 }).toEqual({ narrow, offset, isShort: true });
        }
      }
    } finally {
      client.release();
    }
  });
});
