import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment, type CreateBatch } from '@reseller/contracts';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import { v4 as uuid } from 'uuid';
import { orderSource } from '../src/order/order-row';
import { CreateResultsRepository } from '../src/overview/create-results.repository';
import { HourDurationsRepository } from '../src/overview/hour-durations.repository';
import { OverviewRepository, type OverviewSpan } from '../src/overview/overview.repository';
import { PRODUCTS } from '../src/products';
import { countRowsRead } from './count-rows-read';
import { MIGRATIONS } from './start-orders';

const NOW = Date.parse('2026-11-21T13:17:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEEP_MS = 90 * DAY_MS;
const LONG_AGO = NOW - KEEP_MS + DAY_MS;
// Close to where hours begin and end, some of them in the last hours, a month back and more than that.
const MOMENTS = [
  '2026-09-01T10:59:59.999Z',
  '2026-09-01T11:00:00Z',
  '2026-10-22T23:59:59.500Z',
  '2026-10-23T00:00:00Z',
  '2026-11-21T11:00:00Z',
  '2026-11-21T11:59:59.999Z',
  '2026-11-21T12:00:00Z',
  '2026-11-21T13:16:00Z',
];

const moment = fc.constantFrom(...MOMENTS);
const ms = fc.integer({ min: 0, max: 12 });
const aBatch = fc.record({
  kind: fc.constant('creates' as const),
  at: moment,
  environment: fc.constantFrom(Environment.SANDBOX, Environment.LIVE),
  code: fc.constantFrom('', '', 'VALIDATION_FAILED', 'SERVICE_UNAVAILABLE'),
  offsets: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 5 }),
  duration: ms,
});
const someCalls = fc.record({
  kind: fc.constant('calls' as const),
  at: moment,
  environment: fc.constantFrom('sandbox', 'live'),
  vendor: fc.constantFrom('one', 'other'),
  outcome: fc.constantFrom('accepted', 'refused', 'not-accepted', 'no-response'),
  durations: fc.array(ms, { minLength: 1, maxLength: 5 }),
});
const anAct = fc.oneof(aBatch, someCalls, fc.constant({ kind: 'add up' as const }));
const aSpan = fc
  .tuple(
    fc.constantFrom('sandbox' as const, 'live' as const),
    fc.constantFrom(...MOMENTS, '2026-09-01T10:00:00Z'),
    fc.constantFrom(...MOMENTS, '2026-11-21T14:00:00Z'),
  )
  .filter(([, from, to]) => from < to)
  .map(([of, from, to]): OverviewSpan => ({ environment: of, fromAt: new Date(from), toAt: new Date(to) }));

type Act = typeof anAct extends fc.Arbitrary<infer T> ? T : never;

const INSERT_CALLS = `INSERT INTO vendor_calls (instance, environment, vendor, outcome, recorded_at, durations_ms) VALUES ($1, $2, $3, $4, $5, $6)`;
const MANY = 10_000;
/** So many of the four weeks before $1. */
const MANY_CREATES = `INSERT INTO create_results (gateway, sequence, environment, code, started_at, ended_at, offsets_ms, durations_ms)
  SELECT gen_random_uuid(), n, 'live', '', at, at + interval '5 ms', '{5}', ARRAY[n % 100]
  FROM generate_series(1, $2) AS n, LATERAL (SELECT $1::timestamptz - n * interval '4 minutes' AS at) AS made`;
const MANY_CALLS = `INSERT INTO vendor_calls (instance, environment, vendor, outcome, recorded_at, durations_ms)
  SELECT gen_random_uuid(), 'live', 'one', 'accepted', $1::timestamptz - n * interval '4 minutes', ARRAY[n % 100] FROM generate_series(1, $2) AS n`;
/** Every create and call by itself. */
const CREATES_NAIVELY = `
  WITH answered AS (
    SELECT r.code, e.ms FROM create_results AS r, unnest(r.offsets_ms, r.durations_ms) AS e ("offset", ms)
    WHERE r.environment = $1 AND r.started_at + e."offset" * interval '1 ms' >= $2 AND r.started_at + e."offset" * interval '1 ms' < $3
  ), refused AS (SELECT code, count(*)::int AS count FROM answered WHERE code <> '' GROUP BY code)
  SELECT count(*)::int AS created, percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS "p50Ms", percentile_disc(0.99) WITHIN GROUP (ORDER BY ms) AS "p99Ms",
    (SELECT coalesce(jsonb_agg(refused ORDER BY count DESC, code), '[]') FROM refused) AS refusals
  FROM answered WHERE code = ''`;
const CALLS_NAIVELY = `
  SELECT vendor AS name, count(*)::int AS calls, count(*) FILTER (WHERE outcome IN ('accepted', 'refused'))::int AS responses,
    count(*) FILTER (WHERE outcome = 'refused')::int AS refusals,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) FILTER (WHERE outcome IN ('accepted', 'refused')) AS "p50Ms",
    percentile_disc(0.99) WITHIN GROUP (ORDER BY ms) FILTER (WHERE outcome IN ('accepted', 'refused')) AS "p99Ms", 0 AS "waitingOrders"
  FROM vendor_calls, unnest(durations_ms) AS ms
  WHERE environment = $1 AND recorded_at >= $2 AND recorded_at < $3
  GROUP BY vendor ORDER BY vendor`;

describe('how long creates and calls took, in an overview (spec §18.7)', () => {
  let database: TestDatabase;
  let overview: OverviewRepository;
  let results: CreateResultsRepository;
  let durations: HourDurationsRepository;
  beforeAll(async () => {
    database = await createTestDatabase({ migrations: MIGRATIONS });
    overview = new OverviewRepository(database.servicePool, orderSource(PRODUCTS).visible);
    results = new CreateResultsRepository(database.servicePool);
  });
  afterAll(() => database.drop());

  async function clear(): Promise<void> {
    await database.pool.query('TRUNCATE create_results, vendor_calls, hour_durations');
    durations = new HourDurationsRepository(database.servicePool, KEEP_MS);
  }

  const addUp = async (): Promise<void> => {
    while (await durations.addUp(NOW));
  };

  async function perform(act: Act): Promise<void> {
    if (act.kind === 'add up') return addUp();
    if (act.kind === 'calls') {
      const { environment, vendor, outcome, at } = act;
      const values = [uuid(), environment, vendor, outcome, at, act.durations];
      return void (await database.pool.query(INSERT_CALLS, values));
    }
    const { at, environment, code, offsets, duration } = act;
    const durationsMs = code === '' ? offsets.map((_, n) => duration + n) : [];
    const batch: CreateBatch = {
      sequence: '1',
      startedAt: new Date(at),
      results: [{ environment, code, offsetsMs: offsets, durationsMs }],
    };
    await results.record(uuid(), [batch], NOW);
  }

  async function compare(spans: readonly OverviewSpan[]): Promise<void> {
    for (const span of spans) {
      const { environment, fromAt, toAt } = span;
      const [, creates, , calls] = await overview.read(span, []);
      const [naiveCreates, naiveCalls] = await Promise.all(
        [CREATES_NAIVELY, CALLS_NAIVELY].map((sql) => database.pool.query(sql, [environment, fromAt, toAt])),
      );
      expect({ span, creates, calls }).toEqual({
        span,
        creates: naiveCreates?.rows[0],
        calls: naiveCalls?.rows,
      });
    }
  }

  it('when creates and calls come in time and late between addings up, then counts and ranks are those of all of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anAct, { minLength: 20, maxLength: 40 }),
        fc.array(aSpan, { minLength: 4, maxLength: 4 }),
        async (acts, spans) => {
          await clear();
          // A call counts when it is recorded, and so never comes late.
          const calls = acts.filter(({ kind }) => kind === 'calls');
          for (const act of [...calls, ...acts.filter(({ kind }) => kind !== 'calls')]) {
            await perform(act);
            await compare(spans.slice(0, 1));
          }
          await addUp();
          await compare(spans);
        },
      ),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('when hours are added up, then an overview of a month reads no create and no call of them', async () => {
    await clear();
    const insert = async (count: number): Promise<void> => {
      for (const sql of [MANY_CREATES, MANY_CALLS])
        await database.pool.query(sql, [new Date(NOW - DAY_MS), count]);
    };
    // Statistics that are far behind.
    await insert(1);
    await database.pool.query('VACUUM ANALYZE create_results, vendor_calls, hour_durations');
    await insert(MANY - 1);
    await addUp();
    const span = {
      environment: 'live' as const,
      fromAt: new Date(NOW - 30 * DAY_MS),
      toAt: new Date(NOW),
    };
    const { result, rowsRead } = await countRowsRead(database, ['create_results', 'vendor_calls'], (pool) =>
      new OverviewRepository(pool, orderSource(PRODUCTS).visible).read(span, []),
    );
    const [, { created }, , [one]] = result;
    expect([created, one?.calls]).toEqual([MANY, MANY]);
    expect(rowsRead).toBeLessThan(20);
  });

  it('when an hour was removed after its time, then it is not added up again', async () => {
    await clear();
    await perform({
      kind: 'creates',
      at: new Date(LONG_AGO).toISOString(),
      environment: Environment.LIVE,
      code: '',
      offsets: [1],
      duration: 5,
    });
    await durations.addUp(NOW + DAY_MS);
    const { rows } = await database.pool.query('SELECT FROM hour_durations');
    expect(rows).toEqual([]);
  });
});
