import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { observeBacklogs } from '@reseller/database';
import { createTestDatabase, pagesRead, silentLog, type TestDatabase } from '@reseller/testing';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import { webhookBacklogs } from '../src/backlog/backlogs';
import { DeliveryMetrics } from '../src/delivery/delivery-metrics';
import { MIGRATIONS } from './start-delivery';

const BACKLOGS = webhookBacklogs({ perSubscription: 8 });
let database: TestDatabase;
let exposition: string;

/** A subscription with so many deliveries due for so many minutes, some of them under way. */
async function addSubscription(at: {
  minutes: number;
  count: number;
  underWay: number;
  isActive?: boolean;
  isFrozen?: boolean;
}): Promise<void> {
  const id = uuidv7();
  await database.pool.query(
    `INSERT INTO webhook_subscriptions (id, partner_id, environment, url, event_types, is_active, secret_ciphertext, secret_key_id)
     VALUES ($1, uuidv7(), 'live', 'https://partner.example', '{order.completed}', $2, '\\x00', 'k')`,
    [id, at.isActive ?? true],
  );
  if (at.isFrozen)
    await database.pool.query(
      'INSERT INTO webhook_partners SELECT partner_id, true, 2 FROM webhook_subscriptions WHERE id = $1',
      [id],
    );
  await database.pool.query(
    `WITH due AS (INSERT INTO webhook_pending_deliveries (event_id, subscription_id, event_type, next_attempt_at)
       SELECT uuidv7(), $1, 'order.completed', clock_timestamp() - $2 * interval '1 minute' + n * interval '1 second'
       FROM generate_series(1, $3::int) n RETURNING id, next_attempt_at)
     INSERT INTO webhook_leases SELECT $1, id, uuidv7(), clock_timestamp() + interval '15 seconds'
     FROM (SELECT id FROM due ORDER BY next_attempt_at LIMIT $4) AS under_way`,
    [id, at.minutes, at.count, at.underWay],
  );
}

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  // Its receiver hangs: all eight slots are busy, and what waits behind them waits for the partner.
  await addSubscription({ minutes: 60, count: 5_000, underWay: 8 });
  // Two under way, the third could be sent now.
  await addSubscription({ minutes: 10, count: 3, underWay: 2 });
  await addSubscription({ minutes: 600, count: 5, underWay: 0, isActive: false });
  await addSubscription({ minutes: 700, count: 5, underWay: 0, isFrozen: true });
  await database.pool.query('ANALYZE');
  const metrics = new Registry();
  observeBacklogs({ pool: database.servicePool, metrics, log: silentLog }, BACKLOGS);
  exposition = await metrics.metrics();
});
afterAll(() => database.drop());

const valueOf = (name: string): number => Number(new RegExp(`^${name} (.*)$`, 'm').exec(exposition)?.[1]);

describe('the backlog metrics', () => {
  it('when a receiver hangs, then what waits for it is counted apart from what waits for us', () => {
    expect(Math.round(valueOf('webhook_oldest_due_seconds') / 60)).toBe(60);
    expect(Math.round(valueOf('webhook_oldest_unclaimed_seconds') / 60)).toBe(10);
    expect(valueOf('webhook_subscriptions_at_limit')).toBe(1);
    expect(valueOf('webhook_pending_deliveries')).toBe(5_013);
  });

  it('when there is a backlog, then ages are found without reading it', async () => {
    // As a process that starts now reads them: all, however much came a moment ago.
    const [due] = webhookBacklogs({ perSubscription: 8 });
    const { statement, values = [], cursor } = due!;
    const all = [...values, ...(cursor?.next() ?? [])];
    // The first time a connection reads the catalogue and makes its plans.
    await pagesRead(database.pool, statement, all);
    expect(await pagesRead(database.pool, statement, all)).toBeLessThan(100);
  });

  it('when a first attempt is claimed, then its delay counts since the commit, unless it was sent again', async () => {
    const metrics = new Registry();
    const seen = new DeliveryMetrics(metrics, { inFlight: () => 0 });
    const made = (secondsAgo: number): string => uuidv7({ msecs: Date.now() - secondsAgo * 1_000 });
    seen.countClaim([
      { attemptNumber: 1, eventId: made(2) },
      { attemptNumber: 2, eventId: made(40) },
      { attemptNumber: 1, eventId: made(3_600) },
    ]);
    const text = await metrics.metrics();
    expect(text).toContain('webhook_first_attempt_delay_seconds_bucket{le="1"} 0');
    expect(text).toContain('webhook_first_attempt_delay_seconds_bucket{le="5"} 1');
    expect(text).toContain('webhook_first_attempt_delay_seconds_count 1');
    expect(text).toContain('webhook_deliveries_total{outcome="DeadLettered"} 0');
  });
});
