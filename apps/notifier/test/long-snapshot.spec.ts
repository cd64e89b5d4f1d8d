import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, pagesRead, silentLog, type TestDatabase } from '@reseller/testing';
import type { PoolClient } from 'pg';
import { webhookBacklogs } from '../src/backlog/backlogs';
import { DeliveryCountRepository } from '../src/delivery/delivery-count.repository';
import { DeliveryQueueRepository, type ClaimedDelivery } from '../src/delivery/delivery-queue.repository';
import { DeliveryRepository } from '../src/delivery/delivery.repository';
import { LaneCursor, type Look } from '../src/delivery/lane-cursor';
import { PartitionRepository } from '../src/delivery/partition.repository';
import { addWebhookEvents } from '../src/delivery/webhook-event.repository';
import { explaining, leastOf } from './explaining';
import { delivered, eventFor, MIGRATIONS, subscribe, type TestSubscription } from './start-delivery';

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
    await snapshot.query('SET idle_in_transaction_session_timeout = 0');
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

  const pagesOf = (text: string, values: unknown[]): Promise<number> =>
    pagesRead(database.pool, { text }, values);

  /** So many results that were recorded one by one in a minute that is over. */
  async function recordInThePast(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1)
      await database.servicePool.query(
        `INSERT INTO webhook_delivery_minutes AS c
         SELECT $1, date_trunc('minute', now() - interval '5 minutes'), (now() AT TIME ZONE 'UTC')::date, 'order.completed', 'Delivered', 1
         ON CONFLICT (subscription_id, minute, day, event_type, status) DO UPDATE SET n = c.n + 1`,
        [lane.id],
      );
  }

  /** Pages that recording the result of one delivery reads. */
  async function recordingPages(): Promise<number> {
    await addWebhookEvents(database.servicePool, [eventFor(lane.partnerId)]);
    const claimed = await claim(cursor.look());
    const { explained, pages } = explaining(database.pool);
    await new DeliveryQueueRepository(explained).recordResults(claimed.map(delivered));
    return pages();
  }

  /** Pages that the totals of a list read; the list itself is of what is pending, of which there is nothing. */
  async function countingPages(): Promise<number> {
    const { explained, pages } = explaining(database.pool);
    await new DeliveryRepository(explained).list({ subscriptionId: lane.id, status: 'Delivered' }, undefined);
    return pages();
  }

  /** Pages that a look reads which finds one delivery. */
  async function costOf(look: () => Look): Promise<number> {
    return leastOf(async () => {
      const { lanes, madeWithinMs } = look();
      return pagesOf(`SELECT * FROM webhook_claim_due(500, 1, 0, $1, $2, $3 * interval '1 millisecond')`, [
        lanes?.map(({ id }) => id) ?? null,
        lanes?.map(({ since }) => since) ?? null,
        madeWithinMs,
      ]);
    });
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
  });

  it('when thousands of deliveries were finished since it began, then the ages of what is due are found without reading past them', async () => {
    const [reading] = webhookBacklogs({ perSubscription: 8 });
    const read = async () => {
      const values = [...(reading?.values ?? []), ...(reading?.cursor?.next() ?? [])];
      const { rows } = await database.servicePool.query<{ seconds: number }>(reading!.statement.text, values);
      reading?.cursor?.saw(rows, 60_000);
      return {
        age: Number(rows[0]?.seconds),
        pages: () => leastOf(() => pagesOf(reading!.statement.text, values)),
      };
    };
    await addWebhookEvents(database.servicePool, [eventFor(lane.partnerId)]);
    await read();
    await finishMany(20_000);
    expect(await (await read()).pages()).toBeLessThan(100);
    // What another subscription gets is seen as well, and grows older.
    const other = await subscribe(database, 'https://other.example');
    await addWebhookEvents(database.servicePool, [eventFor(other.partnerId)]);
    await database.pool.query(
      "UPDATE webhook_pending_deliveries SET next_attempt_at = next_attempt_at - interval '1 hour' WHERE subscription_id = $1",
      [other.id],
    );
    expect(Math.round((await read()).age / 60)).toBe(60);
    // What the cursor passes by is there.
    const all = [8, null, null, null];
    expect(await leastOf(() => pagesOf(reading!.statement.text, all))).toBeGreaterThan(200);
  });

  it('when it was recorded a thousand times since what a subscription received, then reading the subscription costs no more than before', async () => {
    await deliverOne();
    const cost = () => pagesOf('SELECT url FROM webhook_subscriptions WHERE id = $1', [lane.id]);
    const before = await cost();
    for (let n = 0; n < 1_000; n += 1) await deliverOne();
    // A version a minute, eight on a page.
    expect(await cost()).toBeLessThan(before + 5);
  });

  it('when thousands were recorded in minutes since it began, then they changed a day once for each minute, and recording the next and counting all cost no more', async () => {
    const counts = new DeliveryCountRepository(database.servicePool);
    const days = async () => (await database.pool.query('SELECT n::int FROM webhook_delivery_counts')).rows;
    const cost = async () => ({ recording: await recordingPages(), counting: await countingPages() });
    await deliverOne();
    await cost();
    const before = await cost();
    for (let minute = 0; minute < 20; minute += 1) {
      await recordInThePast(100);
      await counts.fold();
    }
    await cost();
    const after = await cost();
    // Indexes may have grown by a level.
    expect(after.recording).toBeLessThan(before.recording + 15);
    expect(after.counting).toBeLessThan(before.counting + 5);
    expect(await days()).toEqual([{ n: 2_000 }]);
    const { page } = await new DeliveryRepository(database.servicePool).list(
      { subscriptionId: lane.id },
      undefined,
    );
    expect(page.totalCount).toBe(2_000 + 5);
  }, 120_000);
});
