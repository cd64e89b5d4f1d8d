import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { removeExpired, sqlStateOf } from '@reseller/database';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { DeliveryRepository } from '../src/delivery/delivery.repository';
import { WEBHOOK_RETENTION } from '../src/delivery/housekeeping';
import { PartitionRepository } from '../src/delivery/partition.repository';
import { plantDay } from './plant-day';
import { MIGRATIONS, subscribe } from './start-delivery';

let database: TestDatabase;

const DAY_MS = 86_400_000;
const LONGEST_TEST_MS = 20_000;

/** A day that ended within a test would take another partition with it; then the test begins after it. */
async function beginWithinADay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < LONGEST_TEST_MS) await sleep(left + 100);
}

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(beginWithinADay, 2 * LONGEST_TEST_MS);
afterAll(() => database.drop());

const names = async (): Promise<string[]> =>
  (
    await database.pool.query<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relname ~ '^webhook_.*_\\d{8}$' AND relkind = 'r' ORDER BY 1",
    )
  ).rows.map(({ relname }) => relname);

const partitions = (): PartitionRepository => new PartitionRepository(database.servicePool, silentLog);

describe('what is kept (30 days)', () => {
  it('when deliveries are old, then whole days go, with their counts, and the list agrees with its total', async () => {
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    for (const days of [0, 1, 30, 31, 40, 70]) await plantDay(database, id, partnerId, days);
    const before = await names();
    // The deliveries of three days, and the events of one, which are kept for longer.
    expect(await partitions().dropOld()).toBe(4);
    expect(await names()).toHaveLength(before.length - 4);
    const list = await new DeliveryRepository(database.servicePool).list(
      { subscriptionId: id },
      { page: 1, pageSize: 10 },
    );
    expect(list.page.totalCount).toBe(3);
    expect(list.deliveries).toHaveLength(3);
    expect(await partitions().dropOld()).toBe(0);
  });

  it('when a delivery waited for 31 days, then it goes, and one of a month stays', async () => {
    const { id } = await subscribe(database, 'https://example.com/');
    await database.pool.query(
      `INSERT INTO webhook_pending_deliveries (id, event_id, subscription_id, event_type)
       SELECT uuidv7(-make_interval(days => n)), uuidv7(), $1, 'order.completed' FROM unnest(ARRAY[32, 30, 1]) AS n`,
      [id],
    );
    await removeExpired(WEBHOOK_RETENTION, { pool: database.servicePool, log: silentLog });
    const { rowCount } = await database.pool.query(
      'SELECT 1 FROM webhook_pending_deliveries WHERE subscription_id = $1',
      [id],
    );
    expect(rowCount).toBe(2);
  });

  it('when partitions are made again, or by two at once, then those that are there stay', async () => {
    await partitions().make(14);
    const before = await names();
    await Promise.all([partitions().make(16), partitions().make(16)]);
    const after = await names();
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after).toHaveLength(before.length + 6);
  });

  it('when somebody reads a table for long, then days to come are made later, and those in use are insisted on', async () => {
    await partitions().make(16);
    const before = await names();
    const reader = await database.pool.connect();
    try {
      await reader.query('BEGIN; SELECT FROM webhook_events; SELECT FROM webhook_feed_events');
      await partitions().make(17);
      const after = await names();
      expect(after.filter((name) => !before.includes(name))).toEqual([
        expect.stringMatching(/^webhook_finished_deliveries_/),
      ]);
      await reader.query('COMMIT');
      await partitions().make(17);
      expect(await names()).toHaveLength(before.length + 3);
      const today = `webhook_events_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`;
      await database.pool.query(`DROP TABLE ${today}`);
      await reader.query('BEGIN; SELECT FROM webhook_events');
      expect(
        await partitions()
          .make(17)
          .then(() => 'made', sqlStateOf),
      ).toBe('55P03');
      const made = partitions().make(17);
      await reader.query('COMMIT');
      await made;
      expect(await names()).toContain(today);
    } finally {
      reader.release(true);
    }
  });

  it('when the service’s own role would drop more, then days of this month stay, and it may drop nothing itself', async () => {
    await partitions().make(1);
    const before = await names();
    const attempt = (sql: string): Promise<unknown> =>
      database.servicePool.query(sql).then(({ rows }) => rows, sqlStateOf);
    const all = "'9999-12-31'::date";
    expect(await attempt(`SELECT drop_webhook_partitions('webhook_events', ${all}) AS dropped`)).toEqual([
      { dropped: 0 },
    ]);
    const [one = ''] = before;
    for (const sql of [
      `SELECT drop_webhook_partitions('webhook_subscriptions', ${all})`,
      `DROP TABLE ${one}`,
      `DELETE FROM ${one}`,
      'DELETE FROM webhook_events',
    ])
      expect([sql, await attempt(sql)]).toEqual([sql, '42501']);
    expect(await names()).toEqual(before);
  });

  it('when nobody made the partition of a day in time, then its rows are kept all the same', async () => {
    await database.pool.query(
      `INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, body)
       VALUES (uuidv7(interval '20 days'), uuidv7(), 'sandbox', 'order.completed', now(), '')`,
    );
    await partitions().make(25);
    const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM webhook_events_default');
    expect(rows).toEqual([{ n: 1 }]);
  });
});
