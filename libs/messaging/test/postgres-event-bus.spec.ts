import { describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, silentLog } from '@reseller/testing';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import type { EventBus } from '../src/event-bus';
import { createDeadLetterDatabase } from './dead-letter-support';
import { anEvent, eventBusContract } from './event-bus.contract';
import { createPostgresEventBus } from '../src/postgres/postgres-event-bus';

/** Ends every backend of the database but the caller's, as a fail-over does. */
async function terminateBackends(url: string, applicationName = '%'): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE $1`,
    [applicationName],
  );
  await client.end();
}

/** Takes the database away, has it changed while nobody is connected, and gives it back. */
async function withoutConnections(
  url: string,
  change: (admin: Client, name: string) => Promise<void>,
): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const admin = new Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href });
  await admin.connect();
  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
  await eventually(async () => {
    const { rowCount } = await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
      [name],
    );
    expect(rowCount).toBe(0);
  });
  await change(admin, name);
  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
  await admin.end();
}

eventBusContract('PostgreSQL', async () => {
  const database = await createTestDatabase();
  const options = { connectionString: database.url, log: silentLog, partitions: 4 };
  const makeBus = (): EventBus => createPostgresEventBus({ ...options, leaseMs: 60_000 });
  const makeHastyBus = (): EventBus => createPostgresEventBus({ ...options, leaseMs: 1_500 });
  // A killed process never speaks again: its pools are cut off from the server for good.
  const kill = async (bus: EventBus): Promise<void> => {
    const pools = Object.values(bus).filter(
      (value): value is { connect: unknown; query: unknown } => typeof value?.query === 'function',
    );
    for (const pool of pools) {
      pool.query = () => new Promise(() => undefined);
      pool.connect = () => new Promise(() => undefined);
    }
    // Ends the timers only: it cannot say good-bye and never resolves.
    void bus.close();
  };
  return { makeBus, makeHastyBus, kill, close: () => database.drop() };
});

describe('PostgreSQL event bus', () => {
  it('when backends are terminated again and again, then every event is handled and each key keeps its order', async () => {
    const database = await createTestDatabase();
    const options = { connectionString: database.url, log: silentLog, partitions: 4, leaseMs: 1_500 };
    const publisher = createPostgresEventBus(options);
    const consumers = [createPostgresEventBus(options), createPostgresEventBus(options)];
    const got = new Map<string, number[]>();
    for (const bus of consumers) {
      bus.subscribe({
        group: 'g',
        topics: [anEvent('a', 1).topic],
        handler: async (batch) => {
          for (const event of batch) {
            got.set(event.aggregateId, [...(got.get(event.aggregateId) ?? []), Number(event.aggregateSeq)]);
          }
        },
      });
    }
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    const publishAll = async (key: string): Promise<void> => {
      for (let seq = 1; seq <= 60; seq += 1) {
        const event = anEvent(key, seq);
        // A publish that failed may have been stored: it is repeated as it was.
        await eventually(() => publisher.publish([event]));
      }
    };
    // The schema is made by the first, in one transaction that lasts longer than the rests between terminations on a busy machine.
    await publisher.publish([anEvent('first', 1)]);
    let publishing = true;
    const sabotage = (async () => {
      while (publishing) {
        await terminateBackends(database.url);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    await Promise.all(keys.map(publishAll));
    publishing = false;
    await sabotage;
    const all = Array.from({ length: 60 }, (_, index) => index + 1);
    await eventually(() => {
      for (const key of keys) expect([...new Set(got.get(key))]).toEqual(all);
    });
    const stored = await database.pool.query('SELECT count(*)::int AS n FROM event_bus.log');
    expect(stored.rows).toEqual([{ n: keys.length * 60 + 1 }]);
    await Promise.all([publisher, ...consumers].map((bus) => bus.close()));
    await database.drop();
  });

  it('when a failover loses commits, then the events that get their offsets are handled, and those before them not again', async () => {
    const database = await createTestDatabase();
    const leaseMs = 1_500;
    const options = { connectionString: database.url, log: silentLog, partitions: 1, leaseMs };
    const bus = createPostgresEventBus(options);
    const got: number[] = [];
    bus.subscribe({
      group: 'g',
      topics: [anEvent('a', 1).topic],
      handler: async (batch) => void got.push(...batch.map((event) => Number(event.aggregateSeq))),
    });
    const handles = async (...seqs: number[]): Promise<void> => {
      const before = [...got];
      for (const seq of seqs) await eventually(() => bus.publish([anEvent('a', seq)]));
      await eventually(() => expect(got).toEqual([...before, ...seqs]));
      // How far the group is, as the database knows it.
      await eventually(async () => {
        const { rows } = await database.pool.query(
          'SELECT next_offset = committed_offset AS "isWritten" FROM event_bus.group_progress',
        );
        expect(rows).toEqual([{ isWritten: true }]);
      });
    };
    await handles(1, 2, 3);
    await withoutConnections(database.url, async (admin, name) => {
      await admin.query(`CREATE DATABASE "${name}_standby" TEMPLATE "${name}"`);
    });
    await handles(4, 5, 6);
    await withoutConnections(database.url, async (admin, name) => {
      // The member's lease ends while it reaches no database, as in any failover that takes longer.
      const lapsesAt = performance.now() + leaseMs;
      await eventually(() => expect(performance.now()).toBeGreaterThan(lapsesAt));
      await admin.query(`DROP DATABASE "${name}"`);
      await admin.query(`ALTER DATABASE "${name}_standby" RENAME TO "${name}"`);
    });
    await handles(7, 8, 9);
    await bus.close();
    await database.drop();
  });

  it('when two members share several topics, then each has half of every topic, and one that leaves hands its half over', async () => {
    const database = await createTestDatabase();
    const topics = ['reseller.test.a.v1', 'reseller.test.b.v1', 'reseller.test.c.v1'];
    const join = (): { bus: EventBus; owned: () => Promise<number[]> } => {
      const metrics = new Registry();
      const options = {
        connectionString: database.url,
        log: silentLog,
        partitions: 8,
        leaseMs: 60_000,
        metrics,
      };
      const bus = createPostgresEventBus(options);
      bus.subscribe({ group: 'g', topics, handler: () => Promise.resolve() });
      const owned = async (): Promise<number[]> =>
        ((await metrics.getSingleMetric('event_bus_partitions_owned')?.get())?.values ?? []).map(
          ({ value }) => value,
        );
      return { bus, owned };
    };
    const first = join();
    await eventually(async () => expect(await first.owned()).toEqual([8, 8, 8]));
    const second = join();
    await eventually(async () => expect(await second.owned()).toEqual([4, 4, 4]));
    await eventually(async () => expect(await first.owned()).toEqual([4, 4, 4]));
    await first.bus.close();
    // Long before its leases would have run out.
    await eventually(async () => expect(await second.owned()).toEqual([8, 8, 8]));
    expect(await first.owned()).toEqual([0, 0, 0]);
    await second.bus.close();
    await database.drop();
  });

  it('when a partition is lost and won back, then its handler is waited for; and when the member stops, then for that too, and nothing else begins', async () => {
    const database = await createTestDatabase();
    const metrics = new Registry();
    const options = { connectionString: database.url, log: silentLog, partitions: 4, leaseMs: 1_500 };
    const bus = createPostgresEventBus({ ...options, metrics });
    const got: string[] = [];
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const { topic } = anEvent('a', 1);
    const consumer = bus.subscribe({
      group: 'g',
      topics: [topic],
      handler: async ([event]) => {
        got.push(`${event?.aggregateId} begins`);
        await isReleased;
        got.push(`${event?.aggregateId} ends`);
      },
    });
    await bus.publish([anEvent('a', 1)]);
    await eventually(() => expect(got).toEqual(['a begins']));
    const lease = (set: string): Promise<unknown> =>
      database.pool.query(
        `UPDATE event_bus.group_partition SET ${set} WHERE partition = (SELECT partition FROM event_bus.log)`,
      );
    const owns = (count: number): Promise<void> =>
      eventually(async () =>
        expect(await metrics.metrics()).toContain(`owned{group="g",topic="${topic}"} ${count}`),
      );
    await lease(`lease_owner = gen_random_uuid(), lease_epoch = lease_epoch + 1, lease_until = 'infinity'`);
    await owns(3);
    await lease(`lease_owner = NULL, lease_until = '-infinity'`);
    await owns(4);
    const stopped = consumer.stop().then(() => got.push('stopped'));
    await bus.publish([anEvent('b', 1)]);
    const { rows } = await database.pool.query('SELECT max(seen_at) AS at FROM event_bus.heartbeat');
    await eventually(async () => {
      const since = [rows[0].at];
      const seen = await database.pool.query('SELECT FROM event_bus.heartbeat WHERE seen_at > $1', since);
      expect(seen.rowCount).toBeGreaterThan(2);
    });
    release();
    await stopped;
    expect(got).toEqual(['a begins', 'a ends', 'stopped']);
    await bus.close();
    await database.drop();
  });

  it('when an event is published twice, also at once, then it is stored once', async () => {
    const database = await createTestDatabase();
    const options = { connectionString: database.url, log: silentLog, partitions: 4 };
    const [bus, other] = [createPostgresEventBus(options), createPostgresEventBus(options)];
    const events = Array.from({ length: 20 }, (_, index) => anEvent('a', index + 1));
    await Promise.all([bus.publish(events), other.publish(events), bus.publish([...events, ...events])]);
    const stored = await database.pool.query('SELECT event_id FROM event_bus.log ORDER BY "offset"');
    expect(stored.rows.map((row) => row.event_id)).toEqual(events.map((event) => event.eventId));
    await Promise.all([bus.close(), other.close()]);
    await database.drop();
  });

  it('when its tables are dropped between two runs, then what is published again comes to the group again', async () => {
    const database = await createTestDatabase();
    const event = anEvent('a', 1);
    const handled: string[] = [];
    const run = async (expected: number): Promise<void> => {
      const bus = createPostgresEventBus({
        connectionString: database.url,
        log: silentLog,
        partitions: 1,
      });
      const handler = async (batch: { eventId: string }[]): Promise<void> =>
        void handled.push(...batch.map(({ eventId }) => eventId));
      bus.subscribe({ group: 'g', topics: [event.topic], handler });
      await eventually(() => bus.publish([event]));
      await eventually(() => expect(handled).toHaveLength(expected));
      await bus.close();
    };
    await run(1);
    // What docs/platform/backups.md does after a restore.
    await database.pool.query('DROP SCHEMA event_bus CASCADE');
    await run(2);
    expect(handled).toEqual([event.eventId, event.eventId]);
    await database.drop();
  });

  it('when each attempt ends the process, then the event becomes a dead letter without another call', async () => {
    const database = await createTestDatabase();
    const bus = createPostgresEventBus({ connectionString: database.url, log: silentLog, partitions: 1 });
    const events = [anEvent('a', 1), anEvent('a', 2)];
    await bus.publish(events);
    // What a process that died in its third attempt leaves behind.
    await database.pool.query(
      `INSERT INTO event_bus.group_partition (group_name, topic, partition, attempts, careful_until)
       VALUES ('g', $1, 0, 3, 100)`,
      [events[0]?.topic],
    );
    const got: string[] = [];
    const service = await createDeadLetterDatabase();
    bus.subscribe({
      group: 'g',
      topics: [anEvent('a', 1).topic],
      maxProcessEnds: 3,
      handler: async (batch) => void got.push(...batch.map((event) => event.eventId)),
      deadLetters: service.deadLetters,
    });
    await eventually(() => expect(got).toEqual([events[1]?.eventId]));
    const { deadLetters } = await service.deadLetters.repository.list({}, { offset: 0, limit: 10 });
    expect(deadLetters).toMatchObject([{ event: events[0], reason: 'EndsProcess', attempts: 3 }]);
    await service.drop();
    await bus.close();
    await database.drop();
  });
});
