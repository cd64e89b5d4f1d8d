import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withTransaction } from '@reseller/database';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import { v4 as uuid } from 'uuid';
import { foldOrderTotals } from '../src/order/order-totals.repository';
import { HourAmountsRepository } from '../src/overview/hour-amounts.repository';
import { OverviewRepository, type OverviewSpan, type SeriesRow } from '../src/overview/overview.repository';
import { orderSource } from '../src/order/order-row';
import { PRODUCTS } from '../src/products';
import { countRowsRead } from './count-rows-read';
import { MIGRATIONS } from './start-orders';

const NOW = Date.parse('2026-11-21T13:17:00Z');
const DAY_MS = 86_400_000;
const STATUSES = ['Pending', 'Processing', 'InterventionRequired', 'Completed', 'Reversed'];
// Close to where hours begin and end, some of them in the last hours, a month back and more than that.
const MOMENTS = [
  '2026-09-01T10:59:59.999999Z',
  '2026-09-01T11:00:00Z',
  '2026-10-22T23:59:59.999Z',
  '2026-10-23T00:00:00Z',
  '2026-11-21T09:00:00Z',
  '2026-11-21T09:59:59.999Z',
  '2026-11-21T10:00:00Z',
  '2026-11-21T13:00:00Z',
  '2026-11-21T13:16:00Z',
];

const moment = fc.constantFrom(...MOMENTS);
const environment = fc.constantFrom('sandbox' as const, 'live' as const);
const status = fc.constantFrom(...STATUSES);
const anOrder = fc.record({
  environment,
  product: fc.constantFrom('Topup', 'Esim', 'Scent'),
  status,
  at: moment,
  amount: fc.integer({ min: 1, max: 30 }),
  currency: fc.constantFrom('SAR', 'USD'),
});
const nth = fc.nat(30);
const anAct = fc.oneof(
  fc.record({ kind: fc.constant('make' as const), order: anOrder }),
  fc.record({ kind: fc.constant('move' as const), nth, to: status }),
  fc.record({ kind: fc.constant('delete' as const), nth }),
  fc.constant({ kind: 'fold' as const }),
  fc.constant({ kind: 'add up' as const }),
);
const aSpan = fc
  .tuple(
    environment,
    fc.constantFrom(...MOMENTS, '2026-09-01T10:00:00Z'),
    fc.constantFrom(...MOMENTS, '2026-11-21T14:00:00Z'),
  )
  .filter(([, from, to]) => from < to)
  .map(([of, from, to]): OverviewSpan => ({ environment: of, fromAt: new Date(from), toAt: new Date(to) }));

const INSERT = `
  INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product, external_reference,
    request, geo_scope_global_id, amount, currency, status, submitted_at, completed_at)
  SELECT id, id::text, 'saga', $1, 'P', environment, product, id::text, '{}', CASE product WHEN 'Scent' THEN NULL ELSE 'GEO-SA' END, amount, currency,
    status, at, at
  FROM (SELECT gen_random_uuid() AS id, o.* FROM jsonb_to_recordset($2::jsonb)
    AS o (environment text, product text, status text, at timestamptz, amount numeric, currency text)) AS given`;
const NTH = 'id = (SELECT id FROM orders ORDER BY id OFFSET $1 LIMIT 1)';
const NAIVELY = `
  SELECT product, status, currency, array_agg(hour ORDER BY hour) AS hours, array_agg(count ORDER BY hour) AS counts,
    array_agg(amount ORDER BY hour) AS amounts
  FROM (
    SELECT floor(extract(epoch FROM submitted_at) / 3600)::int AS hour, product, status, count(*)::int AS count, sum(amount)::text AS amount, currency
    FROM orders WHERE environment = $1 AND submitted_at >= $2 AND submitted_at < $3 AND NOT (product = 'Scent' AND status = 'Pending')
    GROUP BY 1, 2, 3, currency
  ) AS by_hour
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

/** With its hours ascending. */
function inOrder({ hours, counts, amounts, ...same }: SeriesRow): SeriesRow {
  const order = [...hours.keys()].sort((a, b) => (hours[a] ?? 0) - (hours[b] ?? 0));
  const sorted = <T>(list: readonly T[]): T[] => order.flatMap((n) => list.slice(n, n + 1));
  return { ...same, hours: sorted(hours), counts: sorted(counts), amounts: sorted(amounts) };
}

type Act = typeof anAct extends fc.Arbitrary<infer T> ? T : never;

describe('an overview’s hours (spec §18.7)', () => {
  let database: TestDatabase;
  let overview: OverviewRepository;
  let hourAmounts: HourAmountsRepository;
  beforeAll(async () => {
    database = await createTestDatabase({ migrations: MIGRATIONS });
    for (const trigger of ['orders_moves', 'orders_first_status', 'orders_withdrawal'])
      await database.pool.query(`ALTER TABLE orders DISABLE TRIGGER ${trigger}`);
    overview = new OverviewRepository(database.servicePool, orderSource(PRODUCTS).visible);
    hourAmounts = new HourAmountsRepository(database.servicePool);
  });
  afterAll(() => database.drop());

  const fold = () => withTransaction(database.servicePool, foldOrderTotals);
  const addUp = async (): Promise<void> => {
    while (await hourAmounts.addUp(NOW));
  };
  const make = (orders: readonly object[]) => database.pool.query(INSERT, [uuid(), JSON.stringify(orders)]);

  async function perform(act: Act): Promise<void> {
    switch (act.kind) {
      case 'make':
        return void (await make([act.order]));
      case 'move':
        return void (await database.pool.query(`UPDATE orders SET status = $2 WHERE ${NTH}`, [
          act.nth,
          act.to,
        ]));
      case 'delete':
        return void (await database.pool.query(`DELETE FROM orders WHERE ${NTH}`, [act.nth]));
      case 'fold':
        return fold();
      case 'add up':
        return addUp();
    }
  }

  async function compare(spans: readonly OverviewSpan[]): Promise<void> {
    for (const span of spans) {
      const [series] = await overview.read(span, []);
      const { rows } = await database.pool.query(NAIVELY, [span.environment, span.fromAt, span.toAt]);
      expect({ span, series: series.map(inOrder) }).toEqual({ span, series: rows });
    }
  }

  it('when orders come, move and go between foldings and addings up, then they are what counting and summing gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anOrder, { minLength: 20, maxLength: 30 }),
        fc.array(anAct, { minLength: 20, maxLength: 40 }),
        fc.array(aSpan, { minLength: 4, maxLength: 4 }),
        async (orders, acts, spans) => {
          await database.pool.query('TRUNCATE orders CASCADE');
          await make(orders);
          for (const act of acts) {
            await perform(act);
            await compare(spans.slice(0, 1));
          }
          await fold();
          await addUp();
          await compare(spans);
        },
      ),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('when two orders of an hour change places, then it is added up anew, though there are as many as before', async () => {
    await database.pool.query('TRUNCATE orders CASCADE');
    const one = { environment: 'live', product: 'Topup', at: MOMENTS[2], currency: 'SAR' };
    await make([
      { ...one, status: 'Processing', amount: 10 },
      { ...one, status: 'InterventionRequired', amount: 20 },
    ]);
    await fold();
    await addUp();
    await database.pool.query(
      `UPDATE orders SET status = CASE status WHEN 'Processing' THEN 'InterventionRequired' ELSE 'Processing' END`,
    );
    const span: OverviewSpan = {
      environment: 'live',
      fromAt: new Date('2026-10-22T00:00:00Z'),
      toAt: new Date('2026-10-24T00:00:00Z'),
    };
    for (const next of [fold, addUp]) {
      await compare([span]);
      await next();
    }
    await compare([span]);
  });

  it('when hours are added up, then an overview of a month reads no order of them', async () => {
    await database.pool.query('TRUNCATE orders CASCADE');
    const one = { environment: 'live', product: 'Topup', status: 'Completed', amount: 5, currency: 'SAR' };
    await make(
      Array.from({ length: 2_000 }, (_, n) => ({ ...one, at: new Date(NOW - (n + 12) * 1_200_000) })),
    );
    await fold();
    await addUp();
    const fromAt = new Date(NOW - 27 * DAY_MS);
    const toAt = new Date(NOW - DAY_MS);
    const { result, rowsRead } = await countRowsRead(database, ['orders'], (pool) =>
      new OverviewRepository(pool, orderSource(PRODUCTS).visible).read(
        { environment: 'live', fromAt, toAt },
        [],
      ),
    );
    const counts = result[0].flatMap((series) => series.counts);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1_800);
    // Those of the two hours at its ends, of which it has a part.
    expect(rowsRead).toBeLessThan(20);
  });
});
