import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { createPostgresEventBus, type DomainEvent, type EventBus } from '../src';
import { anEvent } from './event-bus.contract';

const BATCH = 10;
const { topic } = anEvent('a', 1);

/** What a plan node and those under it have read. */
interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

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
      await eventually(() => expect(handled).toBe(sent), { timeoutMs: 10_000, intervalMs: 1 });
    }
  }

  async function pagesOf(call: string): Promise<number> {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM event_bus.${call}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
  }

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
