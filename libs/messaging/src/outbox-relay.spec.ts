import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable, removeExpired, withTransaction } from '@reseller/database';
import type { TestDatabase } from '@reseller/testing';
import { createTestDatabase, eventually, silentLog } from '@reseller/testing';
import type { DomainEvent } from './domain-event';
import type { Stoppable } from './event-bus';
import { handleOnce } from './inbox';
import { appendToOutbox } from './outbox';
import { createOutboxRelay } from './outbox-relay';
import { outboxRetention } from './messaging-retention';

/** A bus that keeps what it was given first, as the real ones do, and can be away. */
class RecordingBus {
  readonly events = new Map<string, DomainEvent>();
  isAway = false;

  async publish(events: DomainEvent[]): Promise<void> {
    if (this.isAway) throw new Error('the bus is away');
    for (const event of events) if (!this.events.has(event.eventId)) this.events.set(event.eventId, event);
  }

  seqsOf(aggregateId: string): number[] {
    return [...this.events.values()]
      .filter((e) => e.aggregateId === aggregateId)
      .map((e) => Number(e.aggregateSeq));
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('outbox and inbox', () => {
  let migrations: string;
  let database: TestDatabase;
  let bus: RecordingBus;
  let relays: Stoppable[];

  const startRelay = (batchSize = 7): void => {
    relays.push(createOutboxRelay({ connectionString: database.url, bus, log: silentLog, batchSize }));
  };
  const append = (aggregateId: string): Promise<string> =>
    withTransaction(database.pool, (tx) =>
      appendToOutbox(tx, { topic: 't', type: 'T', aggregateId, payload: Buffer.from('x') }),
    );

  beforeAll(() => {
    migrations = mkdtempSync(path.join(os.tmpdir(), 'outbox-'));
    mkdirSync(path.join(migrations, '1_messaging'));
    const sql = readFileSync(path.resolve(__dirname, '../sql/messaging.sql'));
    writeFileSync(path.join(migrations, '1_messaging', 'migration.sql'), sql);
  });

  afterAll(() => rmSync(migrations, { recursive: true }));

  beforeEach(async () => {
    database = await createTestDatabase({ migrations });
    bus = new RecordingBus();
    relays = [];
  });

  afterEach(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await database.drop();
  });

  it('when transactions append to one aggregate at once, then its sequence has no gaps, also after rollbacks', async () => {
    await Promise.all(
      upTo(60).map((n) =>
        withTransaction(database.pool, async (tx) => {
          await appendToOutbox(tx, { topic: 't', type: 'T', aggregateId: 'a', payload: Buffer.from('x') });
          if (n % 3 === 0) throw new Error('rolled back');
        }).catch((error: Error) => expect(error.message).toBe('rolled back')),
      ),
    );
    const { rows } = await database.pool.query(
      'SELECT aggregate_seq::int AS seq FROM outbox ORDER BY aggregate_seq',
    );
    expect(rows.map((row) => row.seq)).toEqual(upTo(40));
  });

  it('when two relays run, backends die and the bus is away for a while, then each event is published in order', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e'];
    startRelay();
    startRelay();
    bus.isAway = true;
    const appendAll = async (key: string): Promise<void> => {
      for (let n = 0; n < 50; n += 1) await append(key);
    };
    const sabotage = async (): Promise<void> => {
      for (let n = 0; n < 10; n += 1) {
        bus.isAway = n % 3 === 0;
        await database.pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'outbox-relay' AND datname = current_database()",
        );
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
      bus.isAway = false;
    };
    await Promise.all([...keys.map(appendAll), sabotage()]);
    await eventually(() => expect(keys.map((key) => bus.seqsOf(key))).toEqual(keys.map(() => upTo(50))));
    await eventually(async () => {
      const left = await database.pool.query('SELECT 1 FROM outbox WHERE published_at IS NULL');
      expect(left.rowCount).toBe(0);
    });
  });

  it('when a transaction commits later than one that began after it, then its event is published all the same', async () => {
    startRelay();
    const slow = await database.pool.connect();
    await slow.query('BEGIN');
    const early = await appendToOutbox(slow, {
      topic: 't',
      type: 'T',
      aggregateId: 'm',
      payload: Buffer.from('x'),
    });
    await Promise.all(['a', 'z'].map(append));
    await eventually(() => expect(bus.events.size).toBe(2));
    await slow.query('COMMIT');
    slow.release();
    await eventually(() => expect(bus.events.has(early)).toBe(true));
  });

  it('when published events are old, then retention removes them and leaves what is unpublished', async () => {
    await Promise.all(['a', 'b', 'c'].map(append));
    await database.pool.query(
      "UPDATE outbox SET published_at = now() - interval '2 days' WHERE aggregate_id IN ('a', 'b')",
    );
    const rules = [outboxRetention({ OUTBOX_RETENTION_MS: 86_400_000 })];
    await removeExpired(rules, { pool: database.pool, log: silentLog });
    const { rows } = await database.pool.query('SELECT aggregate_id FROM outbox');
    expect(rows).toEqual([{ aggregate_id: 'c' }]);
  });

  it('when an event is handled many times at once, one of them failing, then its effect is committed once', async () => {
    await database.pool.query('CREATE TABLE effects (n int)');
    const event = { eventId: '019a0000-0000-7000-8000-000000000001' };
    const handle = (fails: boolean): Promise<boolean> =>
      withTransaction(database.pool, (tx) =>
        handleOnce(tx, { consumer: 'c', event }, async () => {
          await tx.query('INSERT INTO effects VALUES (1)');
          if (fails) throw new Error('effect failed');
        }),
      );
    await expect(handle(true)).rejects.toThrow('effect failed');
    const results = await Promise.all(upTo(12).map(() => handle(false)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect((await database.pool.query('SELECT n FROM effects')).rowCount).toBe(1);
  });

  it('when a backend dies within a transaction, then the caller sees a database that is away', async () => {
    const dying = withTransaction(database.pool, (tx) =>
      tx.query('SELECT pg_terminate_backend(pg_backend_pid())'),
    );
    const failure = await dying.catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('when the writers give a connection back, then what they committed is published, without a poll', async () => {
    const { url: connectionString, pool: writers } = database;
    relays.push(createOutboxRelay({ connectionString, writers, bus, log: silentLog, pollMs: 10_000 }));
    for (const count of upTo(5)) {
      await append('a');
      await eventually(() => expect(bus.seqsOf('a')).toEqual(upTo(count)));
    }
  });
});
