import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, pagesRead, silentLog, type TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PoolClient } from 'pg';
import { createPostgresEventBus, type DomainEvent, type EventBus } from '../src';
import { outboxBacklog } from '../src/outbox-backlog';
import { anEvent } from './event-bus.contract';

const BATCH = 10;
const { topic } = anEvent('a', 1);

describe('the event bus while a snapshot is held', () => {
  let database: TestDatabase;
  let bus: EventBus;
  let snapshot: PoolClient;
  let sent = 0;
  let handled = 0;

  beforeEach(async () => {
    database = await createTestDatabase();
    bus = createPostgresEventBus({ connectionString: database.url, log: silentLog, partitions: 2 });
    sent = handled = 0;
    bus.subscribe({
      group: 'g',
      topics: [topic],
      handler: async (some) => void (handled += some.length),
    });
    snapshot = await database.pool.connect();
  });

  afterEach(async () => {
    await snapshot.query('ROLLBACK');
    snapshot.release();
    await bus.close();
    await database.drop();
  });

  /** So many events, in batches that are each handled before the next comes. */
  async function pass(count: number): Promise<void> {
    for (let n = 0; n < count; n += BATCH) {
      sent += BATCH;
      await bus.publish(Array.from({ length: BATCH }, (_, i) => anEvent(`a-${n + i}`, 1)));
      await eventually(() => expect(handled).toBe(sent), { intervalMs: 1 });
    }
  }

  const pagesOf = (call: string): Promise<number> =>
    pagesRead(database.pool, { text: `SELECT * FROM event_bus.${call}` });

  /** Pages that a batch's publishing, a heartbeat, and a trip for its events read; the second time, with all plans made. */
  async function cost(): Promise<number> {
    const { rows } = await database.pool.query<{ owner: string; epoch: string; at: string }>(
      `SELECT lease_owner AS owner, lease_epoch AS epoch, p.committed_offset AS at FROM event_bus.group_partition AS g
       JOIN event_bus.group_progress AS p USING (group_name, topic, partition) WHERE partition = 0`,
    );
    const { owner, epoch, at } = rows[0]!;
    const measure = async (): Promise<number> => {
      sent += 1;
      const { eventId, type, aggregateId }: DomainEvent = anEvent(`cost-${randomUUID()}`, 1);
      const pages = [
        await pagesOf(`publish(2, '{${topic}}', '{${type}}', '{${eventId}}', '{${aggregateId}}', '{1}', '{now}',
                               ARRAY['x'::bytea], ARRAY['{}'])`),
        await pagesOf(`renew('g', '${owner}', '{${topic}}', 2, interval '10 seconds', 100)`),
        await pagesOf(
          `exchange('g', '${owner}', '{${topic}}', '{0}', '{${epoch}}', '{${at}}', '{f}', '{0}', '{${at}}', '{10}')`,
        ),
      ];
      return pages.reduce((sum, n) => sum + n);
    };
    await measure();
    return measure();
  }

  it('when thousands of events have passed since it began, then each costs what one cost before', async () => {
    await pass(200);
    await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await snapshot.query('SELECT count(*) FROM pg_class');
    const before = await cost();
    await pass(4_000);
    // The indexes may have grown by a level.
    expect(await cost()).toBeLessThan(before * 1.5);
  }, 120_000);
});

describe('the outbox while a snapshot is held', () => {
  it('when thousands of events were published since it began, then the age of the oldest that waits is found without reading past them', async () => {
    const database = await createTestDatabase();
    await database.pool.query(readFileSync(path.join(__dirname, '../sql/messaging.sql'), 'utf8'));
    const snapshot = await database.pool.connect();
    await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await snapshot.query('SELECT count(*) FROM pg_class');
    const { statement, cursor } = outboxBacklog();
    const read = async () => {
      const values = [...cursor!.next()];
      const { rows } = await database.pool.query<{ seconds: string; events: string; parked: string }>(
        statement.text,
        values,
      );
      cursor!.saw(rows, 1);
      return { ...rows[0], values };
    };
    const pagesOf = (values: unknown[]): Promise<number> => pagesRead(database.pool, statement, values);
    const add = (count: number, minutesAgo: number, state = '') =>
      database.pool.query(
        `INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, occurred_at${state && ', parked_at'})
         SELECT uuidv7(), 't', 'Fact', uuidv7()::text, 1, '', now() - $2 * interval '1 minute'${state && ', now()'}
         FROM generate_series(1, $1::int)`,
        [count, minutesAgo],
      );
    await read();
    await add(20_000, 60);
    await database.pool.query('UPDATE outbox SET published_at = now()');
    await add(3, 1);
    const later = await read();
    expect(later).toMatchObject({ events: '3', parked: '0' });
    expect(Math.round(Number(later.seconds) / 60)).toBe(1);
    expect(await pagesOf(later.values)).toBeLessThan(30);
    // What the cursor passes by is there.
    expect(await pagesOf([null])).toBeGreaterThan(200);
    // What waits longer than it may take to commit is not lost from sight, nor is what is parked.
    await database.pool.query(
      "UPDATE outbox SET occurred_at = occurred_at - interval '1 hour' WHERE published_at IS NULL",
    );
    await add(2, 1, 'parked');
    expect(await outboxRead(database)).toMatchObject({ events: '3', parked: '2' });
    await snapshot.query('ROLLBACK');
    snapshot.release();
    await database.drop();
  });
});

/** What a process that starts now reads, twice. */
async function outboxRead(database: TestDatabase): Promise<unknown> {
  const { statement, cursor } = outboxBacklog();
  const read = async () => (await database.pool.query(statement.text, [...cursor!.next()])).rows;
  cursor!.saw(await read(), 1);
  const rows = await read();
  return rows[0];
}
