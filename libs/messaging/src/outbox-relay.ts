import { createPool, query, withTransaction } from '@reseller/database';
import type { Logger } from 'pino';
import type { Pool, PoolClient } from 'pg';
import type { Registry } from 'prom-client';
import { BackgroundLoop } from './background-loop';
import type { DomainEvent } from './domain-event';
import type { EventBus, Stoppable } from './event-bus';
import { createRelayMetrics } from './messaging-metrics';
import { pruneOutbox } from './prune';

/** What a relay works with: the service's own pool, or a URL for one connection of its own. */
export type RelayOptions = ({ pool: Pool } | { connectionString: string }) & {
  bus: Pick<EventBus, 'publish'>;
  log: Pick<Logger, 'warn' | 'error'>;
  metrics?: Registry;
  /** The most events published at once; 500 unless told. */
  batchSize?: number;
  /** The rest between two looks, in milliseconds; 25 unless told. Doubles up to four times that while nothing comes. */
  pollMs?: number;
  /** How long published events are kept, in hours; 24 unless told. */
  keepHours?: number;
};

interface OutboxRow extends Omit<DomainEvent, 'occurredAt'> {
  occurredAt: Date;
}

/** Where the sweep over the backlog stands; only a hint for the next slice, never a claim about what is published. */
interface Sweep {
  aggregateId: string;
  aggregateSeq: string;
}

const beginning: Sweep = { aggregateId: '', aggregateSeq: '0' };
const standbyMs = 250;
const pruneEveryMs = 60_000;

const anyWaiting = {
  name: 'outbox_any_waiting',
  text: 'SELECT 1 FROM outbox WHERE published_at IS NULL LIMIT 1',
};

const tryLock = {
  name: 'outbox_try_lock',
  text: "SELECT pg_try_advisory_xact_lock(hashtextextended('reseller.outbox.relay', 0)) AS held",
};

/** By state and in each aggregate's order; the partial index over what is unpublished serves it. */
const nextSlice = {
  name: 'outbox_next_slice',
  text: `SELECT event_id AS "eventId", topic, type, aggregate_id AS "aggregateId", aggregate_seq AS "aggregateSeq",
         occurred_at AS "occurredAt", payload, headers
  FROM outbox
  WHERE published_at IS NULL AND (aggregate_id, aggregate_seq) > ($1, $2::bigint)
  ORDER BY aggregate_id, aggregate_seq LIMIT $3`,
};

const markPublished = {
  name: 'outbox_mark_published',
  text: 'UPDATE outbox SET published_at = clock_timestamp() WHERE event_id = ANY($1::uuid[])',
};

/**
 * Publishes what the outbox holds, in order within each aggregate, and marks it; goes on through a lost database and an
 * absent bus. Of several relays of one database one works at a time and any other takes over when it ends.
 */
export function createOutboxRelay(options: RelayOptions): Stoppable & { wake(): void } {
  const own = 'connectionString' in options;
  const pool = own
    ? createPool({
        connectionString: options.connectionString,
        max: 1,
        name: 'outbox-relay',
        log: options.log,
      })
    : options.pool;
  const relay = new OutboxRelay(pool, options);
  const loop = new BackgroundLoop(
    () => relay.round(),
    (error) => relay.failed(error),
  );
  const stop = async (): Promise<void> => {
    await loop.stop();
    if (own) await pool.end();
  };
  return { stop, wake: () => loop.wake() };
}

class OutboxRelay {
  private sweep = beginning;
  private prunedAt = 0;
  private restMs = 0;
  private readonly metrics;

  constructor(
    private readonly pool: Pool,
    private readonly options: RelayOptions,
  ) {
    this.metrics = options.metrics && createRelayMetrics(options.metrics);
  }

  failed(error: unknown): void {
    // The failed slice must come first again: what follows it in an aggregate must not overtake it.
    this.sweep = beginning;
    this.metrics?.failures.inc();
    this.options.log.warn({ err: error }, 'the outbox relay failed and tries again');
  }

  async round(): Promise<number> {
    const pollMs = this.options.pollMs ?? 25;
    await this.pruneWhenDue();
    const waiting = await query(this.pool, anyWaiting);
    if (waiting.length === 0) {
      this.restMs = Math.min(Math.max(pollMs, this.restMs * 2), pollMs * 4);
      return this.restMs;
    }
    this.restMs = 0;
    const found = await withTransaction(this.pool, (tx) => this.publishSlice(tx), { attempts: 1 });
    if (found === undefined) return standbyMs;
    // Under load a rest makes the next slice larger, and a larger slice costs each event less.
    return found === this.limit ? 0 : pollMs;
  }

  private get limit(): number {
    return this.options.batchSize ?? 500;
  }

  /** Answers how many it found, or undefined when another relay of this database is at work. */
  private async publishSlice(tx: PoolClient): Promise<number | undefined> {
    // One relay at a time: two could send the events of one aggregate past each other. The lock ends with the
    // transaction, and so with a connection that dies.
    const [lock] = await query<{ held: boolean }>(tx, tryLock);
    if (!lock?.held) return undefined;
    const from = [this.sweep.aggregateId, this.sweep.aggregateSeq, this.limit];
    const rows = await query<OutboxRow>(tx, nextSlice, from);
    if (rows.length > 0) await this.publish(tx, rows);
    const last = rows.length === this.limit ? rows.at(-1) : undefined;
    this.sweep = last ? { aggregateId: last.aggregateId, aggregateSeq: last.aggregateSeq } : beginning;
    return rows.length;
  }

  private async publish(tx: PoolClient, rows: OutboxRow[]): Promise<void> {
    await this.options.bus.publish(rows);
    await query(tx, markPublished, [rows.map((row) => row.eventId)]);
    this.metrics?.published.inc(rows.length);
  }

  private async pruneWhenDue(): Promise<void> {
    if (performance.now() - this.prunedAt < pruneEveryMs && this.prunedAt !== 0) return;
    this.prunedAt = performance.now();
    await pruneOutbox(this.pool, this.options.keepHours ?? 24);
  }
}
