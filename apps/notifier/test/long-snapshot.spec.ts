import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import type { PoolClient } from 'pg';
import {
  DeliveryQueueRepository,
  type ClaimedDelivery,
  type RecordedAttempt,
} from '../src/delivery/delivery-queue.repository';
import { LaneCursor, type Look } from '../src/delivery/lane-cursor';
import { PartitionRepository } from '../src/delivery/partition.repository';
import { addWebhookEvents } from '../src/delivery/webhook-event.repository';
import { eventFor, MIGRATIONS, subscribe, type TestSubscription } from './start-delivery';

/** What a plan node and those under it have read. */
interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

const LIMITS = { limit: 500, perSubscription: 8, leaseMs: 0 };

describe('claiming while a snapshot is held', () => {
  let database: TestDatabase;
  let queue: DeliveryQueueRepository;
  let snapshot: PoolClient;
  let lane: TestSubscription;
  let cursor: LaneCursor;

  beforeEach(async () => {
    database = await createTestDatabase({ migrations: MIGRATIONS });
    await new PartitionRepository(database.servicePool, silentLog).make(1);
    queue = new DeliveryQueueRepository(database.servicePool);
    lane = await subscribe(database, 'https://partner.example');
    cursor = new LaneCursor();
    snapshot = await database.pool.connect();
    await snapshot.query('SET idle_in_transaction_session_timeout = 0; SET transaction_timeout = 0');
    await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await snapshot.query('SELECT count(*) FROM pg_class');
  });

  afterEach(async () => {
    await snapshot.query('ROLLBACK');
    snapshot.release(true);
    await database.drop();
  });

  /** Claims as a worker does for whom looking at all takes long. */
  async function claim(look: Look): Promise<ClaimedDelivery[]> {
    const { claimed, seen } = await queue.claim({ ...LIMITS, look });
    cursor.saw(look, { ...seen, hoppingMs: 60_000 });
    return claimed;
  }

  const delivered = (claimed: ClaimedDelivery): RecordedAttempt => ({
    claimed,
    result: { responseStatus: 200, durationMs: 1, errorSummary: null },
    next: { status: 'Delivered' },
    endedAt: performance.now(),
  });

  /** An event of the lane that is delivered. */
  async function deliverOne(): Promise<void> {
    await addWebhookEvents(database.servicePool, [eventFor(lane.partnerId)]);
    const claimed = await claim(cursor.look());
    expect(claimed).toHaveLength(1);
    expect(await queue.recordResults(claimed.map(delivered))).toBe(1);
  }

  /** So many deliveries that were made, leased and finished an hour ago. */
  async function finishMany(count: number): Promise<void> {
    await database.pool.query(
      `INSERT INTO webhook_pending_deliveries (id, event_id, subscription_id, event_type, next_attempt_at)
       SELECT uuidv7(-interval '1 hour'), uuidv7(), $1, 'order.completed', clock_timestamp() - interval '1 hour'
       FROM generate_series(1, $2)`,
      [lane.id, count],
    );
    await database.pool.query(
      `INSERT INTO webhook_leases SELECT subscription_id, id, uuidv7(), next_attempt_at FROM webhook_pending_deliveries
       WHERE next_attempt_at < clock_timestamp() - interval '1 minute'`,
    );
    await database.pool.query(
      `WITH d AS (DELETE FROM webhook_pending_deliveries WHERE next_attempt_at < clock_timestamp() - interval '1 minute')
       DELETE FROM webhook_leases WHERE lease_until < clock_timestamp()`,
    );
  }

  async function pagesOf(text: string, values: unknown[]): Promise<number> {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      values,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  }

  /** Pages that a look reads which finds one delivery; the second time, with all plans made. */
  async function costOf(look: () => Look): Promise<number> {
    const measure = async (): Promise<number> => {
      const { lanes, madeWithinMs } = look();
      return pagesOf(`SELECT * FROM webhook_claim_due(500, 1, 0, $1, $2, $3 * interval '1 millisecond')`, [
        lanes?.map(({ id }) => id) ?? null,
        lanes?.map(({ since }) => since) ?? null,
        madeWithinMs,
      ]);
    };
    await measure();
    return measure();
  }

  it('when thousands of deliveries were finished since it began, then a look for what is due does not read past them', async () => {
    await deliverOne();
    await addWebhookEvents(database.servicePool, [eventFor(lane.partnerId)]);
    await claim({ ...cursor.look(), madeWithinMs: 60_000 });
    await finishMany(20_000);
    // About 30: the heads of two tables and their indexes, and the lease that is written.
    expect(await costOf(() => cursor.lookAt([lane.id]))).toBeLessThan(100);
    expect(await costOf(() => cursor.look())).toBeLessThan(100);
    // What they pass by is there.
    expect(await costOf(() => ({ lanes: null, madeWithinMs: null }))).toBeGreaterThan(200);
  }, 60_000);

  it('when it was recorded a thousand times since what a subscription received, then reading the subscription costs no more than before', async () => {
    await deliverOne();
    const cost = () => pagesOf('SELECT url FROM webhook_subscriptions WHERE id = $1', [lane.id]);
    const before = await cost();
    for (let n = 0; n < 1_000; n += 1) await deliverOne();
    // A version a minute, eight on a page.
    expect(await cost()).toBeLessThan(before + 5);
  }, 60_000);
});
