import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { DeliveryRepository } from '../src/delivery/delivery.repository';
import { MIGRATIONS, subscribe } from './start-delivery';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
afterAll(() => database.drop());

/** A delivery that was made so many days ago, as it lies in the database today. */
async function plant(subscriptionId: string, partnerId: string, daysAgo: number): Promise<void> {
  const day = `date_trunc('day', clock_timestamp(), 'UTC') - interval '${daysAgo} days'`;
  for (const table of ['webhook_events', 'webhook_finished_deliveries'])
    await database.pool.query(`DO $$ BEGIN
      IF to_regclass('${table}' || to_char((${day}) AT TIME ZONE 'UTC', '_YYYYMMDD')) IS NULL THEN
        EXECUTE format('CREATE TABLE %I PARTITION OF ${table} FOR VALUES FROM (%L) TO (%L)',
          '${table}' || to_char((${day}) AT TIME ZONE 'UTC', '_YYYYMMDD'),
          webhook_uuid_at(${day}), webhook_uuid_at(${day} + interval '1 day'));
      END IF; END $$`);
  const id = `uuidv7(-interval '${daysAgo} days')`;
  await database.pool.query(
    `WITH e AS (
       INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, body, created_at)
       VALUES (${id}, $1, 'sandbox', 'order.completed', now(), '', now() - interval '${daysAgo} days') RETURNING event_id
     ), d AS (
       INSERT INTO webhook_finished_deliveries (id, event_id, subscription_id, event_type, status, attempts)
       SELECT ${id}, event_id, $2, 'order.completed', 'Delivered', '[{}]' FROM e RETURNING id
     )
     INSERT INTO webhook_delivery_counts SELECT $2, webhook_day_of(id), 'order.completed', 'Delivered', 1 FROM d`,
    [partnerId, subscriptionId],
  );
}

const names = async (): Promise<string[]> =>
  (
    await database.pool.query<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relname ~ '^webhook_.*_\\d{8}$' AND relkind = 'r' ORDER BY 1",
    )
  ).rows.map(({ relname }) => relname);

describe('what is kept (30 days)', () => {
  it('when deliveries are old, then whole days go, with their counts, and the list agrees with its total', async () => {
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    for (const days of [0, 1, 30, 31, 40]) await plant(id, partnerId, days);
    const before = await names();
    const { rows } = await database.pool.query('SELECT webhook_drop_old(30) AS dropped');
    expect(rows).toEqual([{ dropped: 2 }]);
    const gone = before
      .filter((name) => !new Set<string>().has(name))
      .filter((name) => !name.includes('events'));
    expect((await names()).filter((name) => gone.includes(name))).toHaveLength(gone.length - 2);
    const list = await new DeliveryRepository(database.pool).list(
      { subscriptionId: id },
      { page: 1, pageSize: 10 },
    );
    expect(list.page.totalCount).toBe(3);
    expect(list.deliveries).toHaveLength(3);
    const again = await database.pool.query('SELECT webhook_drop_old(30) AS dropped');
    expect(again.rows).toEqual([{ dropped: 0 }]);
  });

  it('when partitions are made again, or by two at once, then those that are there stay', async () => {
    const made = await Promise.all(
      [1, 2].map(() => database.pool.query<{ n: number }>('SELECT webhook_make_partitions(16) AS n')),
    );
    expect(made.reduce((sum, { rows }) => sum + (rows[0]?.n ?? 0), 0)).toBe(4);
  });

  it('when nobody made the partition of a day in time, then its rows are kept all the same', async () => {
    const { id, partnerId } = await subscribe(database, 'https://example.com/');
    await database.pool.query(
      `INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, body)
       VALUES (uuidv7(interval '20 days'), $1, 'sandbox', 'order.completed', now(), '')`,
      [partnerId],
    );
    await database.pool.query('SELECT webhook_make_partitions(25)');
    const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM webhook_events_default');
    expect(rows).toEqual([{ n: 1 }]);
    expect(id).toBeDefined();
  });
});
