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
  environment?: 'live' | 'sandbox';
}): Promise<void> {
  const id = uuidv7();
  await database.pool.query(
    `INSERT INTO webhook_subscriptions (id, partner_id, environment, url, event_types, is_active, secret_ciphertext, secret_key_id)
     VALUES ($1, uuidv7(), $3, 'https://partner.example', '{order.completed}', $2, '\\x00', 'k')`,
    [id, at.isActive ?? true, at.environment ?? 'live'],
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
  await addSubscription({ minutes: 1, count: 8, underWay: 8, environment: 'sandbox' });
  await addSubscription({ minutes: 1, count: 8, underWay: 8, environment: 'sandbox' });
  // Two partners' only receivers fail; of a third one works, whatever it did before.
  await database.pool.query(`
    WITH s AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM webhook_subscriptions WHERE environment = 'live')
    INSERT INTO webhook_last_attempts (subscription_id, minute, attempted_at, status)
    SELECT id, now() - m * interval '1 minute', now(), CASE WHEN n = 3 AND m = 1 THEN 'Delivered' ELSE 'Timeout' END
    FROM s, generate_series(1, 3) AS m WHERE n <= 3`);
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
    expect(valueOf('webhook_subscriptions_at_limit{environment="live"}')).toBe(1);
    expect(valueOf('webhook_subscriptions_at_limit{environment="sandbox"}')).toBe(2);
    expect(valueOf('webhook_pending_deliveries')).toBe(5_029);
  });

  it('when receivers fail, then it shows of how many partners, and the other environment’s apart', () => {
    const partners = (environment: string, receivers: string): number =>
      valueOf(`webhook_partners{environment="${environment}",receivers="${receivers}"}`);
    expect([partners('live', 'failing'), partners('live', 'working')]).toEqual([2, 1]);
    expect([partners('sandbox', 'failing'), partners('sandbox', 'working')]).toEqual([0, 0]);
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

  it('when a first attempt is claimed, then its delay counts since the commit, unless it was sent again, and apart where its receiver was at its limit', async () => {
    const metrics = new Registry();
    const seen = new DeliveryMetrics(metrics, { inFlight: () => 0 });
    const made = (secondsAgo: number): string => uuidv7({ msecs: Date.now() - secondsAgo * 1_000 });
    const claimed = (attemptNumber: number, secondsAgo: number, isAtLimit = false) => ({
      attemptNumber,
      eventId: made(secondsAgo),
      isAtLimit,
    });
    seen.countClaim([claimed(1, 2), claimed(2, 40), claimed(1, 3_600), claimed(1, 50, true)]);
    seen.observeAttempt('sandbox', { durationMs: 5, responseStatus: null, errorSummary: 'Timeout' });
    const text = await metrics.metrics();
    expect(text).toContain('webhook_first_attempt_delay_seconds_bucket{le="1",slots="free"} 0');
    expect(text).toContain('webhook_first_attempt_delay_seconds_bucket{le="5",slots="free"} 1');
    expect(text).toContain('webhook_first_attempt_delay_seconds_count{slots="free"} 1');
    expect(text).toContain('webhook_first_attempt_delay_seconds_count{slots="taken"} 1');
    expect(text).toContain('duration_seconds_count{environment="sandbox",outcome="Timeout"} 1');
    expect(text).toContain('webhook_deliveries_total{environment="live",outcome="DeadLettered"} 0');
  });
});
