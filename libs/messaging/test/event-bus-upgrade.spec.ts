import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withTransaction } from '@reseller/database';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createPostgresEventBus, type DomainEvent, type EventBus } from '../src';
import { anEvent } from './event-bus.contract';

const v2 = readFileSync(path.join(__dirname, 'event-bus-v2.sql'), 'utf8');
const MEMBER = randomUUID();
const { topic } = anEvent('a', 1);

describe('an event bus of version 2', () => {
  let database: TestDatabase;
  let bus: EventBus;

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.pool.query(`${v2} INSERT INTO event_bus.schema_version VALUES (2)`);
    bus = createPostgresEventBus({ connectionString: database.url, log: silentLog, leaseMs: 1_500 });
  });

  afterEach(async () => {
    await bus.close();
    await database.drop();
  });

  /** What met the locks of an upgrade, or its new views, fails and is made anew, as each round of those processes does. */
  const again = <T extends object>(text: string, values: unknown[]) =>
    withTransaction(database.pool, (tx) => tx.query<T>(text, values), { shouldRepeat: () => true });

  /** The statements of that version, as its processes go on sending them. */
  const old = {
    publish: ({ eventId, type, aggregateId, aggregateSeq, occurredAt, payload, headers }: DomainEvent) =>
      again('SELECT event_bus.publish(1, $1, $2, $3, $4, $5, $6, $7, $8)', [
        ...[[topic], [type], [eventId], [aggregateId], [aggregateSeq], [occurredAt], [payload]],
        [JSON.stringify(headers)],
      ]),
    heartbeat: async (): Promise<string[]> => {
      const { rows } = await database.pool.query<{ epoch: string }>(
        `SELECT topic, partition, epoch, share FROM event_bus.heartbeat('g', $1, $2, 1, interval '1500 ms')`,
        [MEMBER, [topic]],
      );
      return rows.map(({ epoch }) => epoch);
    },
    /** Claims the next event, reads it and commits behind it; undefined when there is none. */
    handleOne: async (): Promise<string | undefined> => {
      const fence = `group_name = 'g' AND lease_owner = $1 AND topic = $2`;
      const claimed = await again<{ committed: string }>(
        `UPDATE event_bus.group_partition SET attempts = attempts + 1
         WHERE ${fence} AND lease_until > clock_timestamp() AND committed_offset < (
           SELECT next_offset FROM event_bus.topic_partition WHERE topic = $2 AND partition = 0)
         RETURNING committed_offset AS committed`,
        [MEMBER, topic],
      );
      const committed = claimed.rows[0]?.committed;
      if (committed === undefined) return undefined;
      const { rows } = await database.pool.query<{ id: string; offset: string }>(
        `SELECT event_id AS id, "offset" FROM event_bus.event WHERE topic = $1 AND partition = 0 AND "offset" >= $2
         ORDER BY "offset" LIMIT 1`,
        [topic, committed],
      );
      await database.pool.query(
        `UPDATE event_bus.group_partition SET committed_offset = $3::bigint + 1, attempts = 0 WHERE ${fence}`,
        [MEMBER, topic, rows[0]?.offset],
      );
      return rows[0]?.id;
    },
    release: () =>
      database.pool.query(
        `UPDATE event_bus.group_partition SET lease_owner = NULL, lease_until = '-infinity' WHERE lease_owner = $1`,
        [MEMBER],
      ),
  };

  it('when it goes on as version 3, then each group goes on where it was and offsets where they were', async () => {
    const events = [1, 2, 3, 4].map((seq) => anEvent('a', seq));
    for (const event of events.slice(0, 3)) await old.publish(event);
    await old.heartbeat();
    expect(await old.handleOne()).toBe(events[0]?.eventId);
    await old.release();
    await bus.publish([events[3]!, events[1]!]);
    const got: string[] = [];
    bus.subscribe({
      group: 'g',
      topics: [topic],
      handler: async (some) => void got.push(...some.map(({ eventId }) => eventId)),
    });
    const expected = events.slice(1).map(({ eventId }) => eventId);
    await eventually(() => expect(got).toEqual(expected));
    const { rows } = await database.pool.query('SELECT "offset"::int, segment FROM event_bus.log ORDER BY 1');
    expect(rows).toEqual([0, 1, 2, 3].map((offset) => ({ offset, segment: 0 })));
  });

  it('when members of both versions are there, then partitions go from one to the other with what is committed', async () => {
    const events = Array.from({ length: 6 }, (_, n) => anEvent('a', n + 1));
    const ids = events.map(({ eventId }) => eventId);
    await old.publish(events[0]!);
    const got: string[] = [];
    const subscribe = (): ReturnType<EventBus['subscribe']> =>
      bus.subscribe({
        group: 'g',
        topics: [topic],
        handler: async (some) => void got.push(...some.map(({ eventId }) => eventId)),
      });
    const first = subscribe();
    await eventually(() => expect(got).toEqual(ids.slice(0, 1)));
    await old.publish(events[1]!);
    await eventually(() => expect(got).toEqual(ids.slice(0, 2)));
    await first.stop();

    await eventually(async () => expect(await old.heartbeat()).toHaveLength(1));
    expect(await old.handleOne()).toBeUndefined();
    await bus.publish(events.slice(2, 4));
    expect(await old.handleOne()).toBe(ids[2]);
    await old.release();

    const second = subscribe();
    await eventually(() => expect(got).toEqual([ids[0], ids[1], ids[3]]));
    expect(await old.heartbeat()).toEqual([]);
    await second.stop();
  });
});
