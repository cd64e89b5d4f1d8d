import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@reseller/testing';
import { createTestDatabase, eventually, silentLog } from '@reseller/testing';
import fc from 'fast-check';
import type { DomainEvent } from './domain-event';
import type { Stoppable } from './event-bus';
import { createOutboxRelay } from './outbox-relay';

interface Sent {
  readonly relay: number;
  readonly aggregateId: string;
  readonly seq: number;
}

/** What each relay sent, in the order in which a broker would have taken it. */
class Broker {
  readonly sent: Sent[] = [];
  private readonly busy = new Map<string, number>();
  /** Aggregates that two relays were sending at the same time. */
  readonly overlaps = new Set<string>();

  /** Takes some time for each batch, as a real one does; `onBatch` may fail or hang it. */
  of(relay: number, onBatch: () => Promise<void> = async () => undefined) {
    return {
      publish: async (events: DomainEvent[]): Promise<void> => {
        const keys = new Set(events.map(({ aggregateId }) => aggregateId));
        for (const key of keys) {
          if (this.busy.has(key)) this.overlaps.add(key);
          this.busy.set(key, relay);
        }
        try {
          await onBatch();
          await pause(2);
          for (const { aggregateId, aggregateSeq } of events)
            this.sent.push({ relay, aggregateId, seq: Number(aggregateSeq) });
        } finally {
          for (const key of keys) this.busy.delete(key);
        }
      },
    };
  }

  countOf(relay: number): number {
    return this.sent.filter((one) => one.relay === relay).length;
  }

  /** The sequences of each aggregate, without those sent again. */
  firsts(): Map<string, number[]> {
    const firsts = new Map<string, number[]>();
    for (const { aggregateId, seq } of this.sent) {
      const seqs = firsts.get(aggregateId) ?? [];
      if (!seqs.includes(seq)) firsts.set(aggregateId, [...seqs, seq]);
    }
    return firsts;
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('relays of one database', () => {
  let database: TestDatabase;
  let relays: Stoppable[];
  let broker: Broker;
  let release = (): void => undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.pool.query(readFileSync(path.resolve(__dirname, '../sql/messaging.sql'), 'utf8'));
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.pool.query('TRUNCATE outbox, outbox_aggregate');
    relays = [];
    broker = new Broker();
  });
  afterEach(async () => {
    release();
    await stopAll();
  });

  const stopAll = async (): Promise<void> => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  };
  const start = (relay: number, batchSize: number, onBatch?: () => Promise<void>): void => {
    const bus = broker.of(relay, onBatch);
    relays.push(createOutboxRelay({ connectionString: database.url, bus, log: silentLog, batchSize }));
  };
  const append = (aggregates: number, each: number): Promise<unknown> =>
    database.pool.query(
      `SELECT outbox_append('t', 'T', 'aggregate-' || a, '\\x00') FROM generate_series(1, $2) AS n, generate_series(1, $1) AS a`,
      [aggregates, each],
    );
  const expectAllSent = async (aggregates: number, each: number, timeoutMs = 60_000): Promise<void> => {
    await eventually(
      async () => {
        const { rowCount } = await database.pool.query(
          'SELECT 1 FROM outbox WHERE published_at IS NULL LIMIT 1',
        );
        expect(rowCount).toBe(0);
      },
      { timeoutMs },
    );
    const firsts = broker.firsts();
    expect(firsts.size).toBe(aggregates);
    for (const seqs of firsts.values()) expect(seqs).toEqual(upTo(each));
  };

  it('when several share any backlog, then all of it is sent once, in each aggregate’s order', async () => {
    const backlog = fc.record({
      count: fc.integer({ min: 1, max: 3 }),
      aggregates: fc.integer({ min: 1, max: 90 }),
      each: fc.integer({ min: 1, max: 6 }),
      batchSize: fc.integer({ min: 1, max: 60 }),
    });
    await fc.assert(
      fc
        .asyncProperty(backlog, async ({ count, aggregates, each, batchSize }) => {
          await append(aggregates, each);
          for (const relay of upTo(count)) start(relay, batchSize);
          await expectAllSent(aggregates, each);
          await stopAll();
          expect(broker.sent).toHaveLength(aggregates * each);
          expect([...broker.overlaps]).toEqual([]);
        })
        .beforeEach(async () => {
          await database.pool.query('TRUNCATE outbox, outbox_aggregate');
          broker = new Broker();
        })
        .afterEach(stopAll),
      { numRuns: 12 },
    );
  });

  it('when three have a backlog, then none is idle and each does its part', async () => {
    // A slice of each would hold events of every slot.
    await append(9_000, 1);
    for (const relay of [1, 2, 3]) start(relay, 300);
    await expectAllSent(9_000, 1);
    for (const relay of [1, 2, 3]) expect(broker.countOf(relay)).toBeGreaterThan((9_000 / 3) * 0.4);
    expect(broker.sent).toHaveLength(9_000);
  });

  it('when one hangs while it sends, then the others send all but its slots; when its connection ends, then those too', async () => {
    await append(2_000, 2);
    let isHanging = false;
    start(1, 300, () => {
      isHanging = true;
      return new Promise((_, reject) => (release = () => reject(new Error('cut off'))));
    });
    await eventually(() => expect(isHanging).toBe(true));
    start(2, 300);
    await eventually(() => expect(broker.countOf(2)).toBeGreaterThan(1_200));
    const hanging = await database.pool.query<{ pid: number }>(
      `SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND database =
         (SELECT oid FROM pg_database WHERE datname = current_database())
         AND pid IN (SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction')`,
    );
    await Promise.all(
      hanging.rows.map(({ pid }) => database.pool.query('SELECT pg_terminate_backend($1)', [pid])),
    );
    await expectAllSent(2_000, 2);
    expect(broker.countOf(1)).toBe(0);
  });

  it('when one stops in the middle of a backlog, then the other sends the rest', async () => {
    await append(150, 10);
    start(1, 25);
    start(2, 25);
    await eventually(() => expect(broker.countOf(1)).toBeGreaterThan(0));
    await relays.shift()?.stop();
    const sentByFirst = broker.countOf(1);
    await expectAllSent(150, 10);
    expect(broker.countOf(1)).toBe(sentByFirst);
    expect(broker.countOf(2)).toBe(1_500 - sentByFirst);
  });

  it('when a relay of the version before slots is at work, then the others wait for it', async () => {
    await append(20, 1);
    const old = await database.pool.connect();
    await old.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('reseller.outbox.relay', 0))");
    start(1, 25);
    await pause(200);
    expect(broker.sent).toEqual([]);
    await old.query('COMMIT');
    old.release();
    await expectAllSent(20, 1);
  });
});
