import { createPool, query, withTransaction } from '@reseller/database';
import type { Logger } from 'pino';
import type { Pool, PoolClient } from 'pg';
import type { Registry } from 'prom-client';
import { BackgroundLoop } from './background-loop';
import type { DomainEvent } from './domain-event';
import type { EventBus, Stoppable } from './event-bus';
import { createRelayMetrics } from './messaging-metrics';
import { pruneOutbox } from './prune';
import { publishTraced } from './traced';

/** What a relay works with: the service's own pool, or a URL for one connection of its own. */
export type RelayOptions = ({ pool: Pool } | { connectionString: string }) & {
  bus: Pick<EventBus, 'publish'>;
  log: Pick<Logger, 'warn' | 'error'>;
  metrics?: Registry;
  /** The most events published at once; 500 by default. */
  batchSize?: number;
  /** The rest between two looks, in milliseconds; 25 by default. Doubles up to four times that while nothing comes. */
  pollMs?: number;
  /** How long published events are kept, in hours; 24 by default. */
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

/** The slots that are locked now, whether more than one slice is waiting, and the last aggregate looked at. */
interface Locked {
  slots: number[];
  isBehind: boolean;
  last: string | null;
}

const beginning: Sweep = { aggregateId: '', aggregateSeq: '0' };
/** Behind all events of an aggregate. */
const lastSeq = '9223372036854775807';
const pruneEveryMs = 60_000;

const anyWaiting = {
  name: 'outbox_any_waiting',
  text: 'SELECT 1 FROM outbox WHERE published_at IS NULL LIMIT 1',
};

/**
 * Locks the slots of what waits next, as far as other relays have not; the locks end with the transaction, and so with a
 * connection that dies. An aggregate is always in the same slot, so one relay at a time has its events. What fits into
 * one slice is taken whole; of more than that a relay tries a random half, which leaves each of n relays as much as any
 * other, without knowing of each other. The lock that is shared here is the only one that relays before slots took.
 */
const lockSlots = {
  name: 'outbox_lock_slots',
  text: `WITH waiting AS MATERIALIZED (
           SELECT (hashtextextended(aggregate_id, 0) & 63)::integer AS slot, aggregate_id FROM outbox
           WHERE published_at IS NULL AND (aggregate_id, aggregate_seq) > ($1, $2::bigint)
           ORDER BY aggregate_id, aggregate_seq LIMIT $3
         ), size AS MATERIALIZED (
           SELECT count(*) >= $3 AS "isBehind", count(DISTINCT slot) AS slots, max(aggregate_id) AS last FROM waiting
         ), tried AS MATERIALIZED (
           SELECT DISTINCT slot, random() AS rank FROM (SELECT DISTINCT slot FROM waiting) AS s
           ORDER BY rank LIMIT (SELECT CASE WHEN "isBehind" THEN (slots + 1) / 2 END FROM size)
         ), gate AS MATERIALIZED (
           SELECT pg_try_advisory_xact_lock_shared(hashtextextended('reseller.outbox.relay', 0)) AS "isOpen"
         ), held AS MATERIALIZED (
           SELECT slot FROM tried WHERE pg_try_advisory_xact_lock(hashtext('reseller.outbox.slot'), slot)
         )
         SELECT "isBehind", last, CASE WHEN "isOpen" THEN ARRAY(SELECT slot FROM held) ELSE '{}' END AS slots FROM size, gate`,
};

/** By state and in each aggregate's order; the partial index over what is unpublished serves it. */
const nextSlice = {
  name: 'outbox_next_slice',
  text: `SELECT event_id AS "eventId", topic, type, aggregate_id AS "aggregateId", aggregate_seq AS "aggregateSeq",
         occurred_at AS "occurredAt", payload, headers
  FROM outbox
  WHERE published_at IS NULL AND (aggregate_id, aggregate_seq) > ($1, $2::bigint)
    AND (hashtextextended(aggregate_id, 0) & 63)::integer = ANY ($4::integer[])
  ORDER BY aggregate_id, aggregate_seq LIMIT $3`,
};

const markPublished = {
  name: 'outbox_mark_published',
  text: 'UPDATE outbox SET published_at = clock_timestamp() WHERE event_id = ANY($1::uuid[])',
};

/**
 * Publishes what the outbox holds, in order within each aggregate, and marks it; goes on through a lost database and an
 * absent bus. Several relays of one database share the work, each aggregate at one of them at a time, and take over from
 * one that ends (docs/adr/0023).
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
    const isBehind = await withTransaction(this.pool, (tx) => this.publishSlice(tx), {
      attempts: 1,
    });
    // Under load a rest makes the next slice larger, and a larger slice costs each event less.
    return isBehind ? 0 : pollMs;
  }

  private get limit(): number {
    return this.options.batchSize ?? 500;
  }

  /** Publishes what other relays do not have at the moment; returns whether more is waiting behind it. */
  private async publishSlice(tx: PoolClient): Promise<boolean> {
    const from = [this.sweep.aggregateId, this.sweep.aggregateSeq, this.limit];
    const [locked] = await query<Locked>(tx, lockSlots, from);
    const { slots = [], isBehind = false, last = null } = locked ?? {};
    // A statement of its own, after the locks: it sees all that their last holders have marked.
    const rows = slots.length > 0 ? await query<OutboxRow>(tx, nextSlice, [...from, slots]) : [];
    if (rows.length > 0) await this.publish(tx, rows);
    this.sweep = this.next(rows, isBehind ? last : null);
    return isBehind;
  }

  /**
   * Where to go on: after what was published or, when that was all there is in the slots held, after what was seen. An
   * aggregate that another relay has is passed by as a whole, so that its events never come from its middle.
   */
  private next(rows: OutboxRow[], lastSeen: string | null): Sweep {
    const last = rows.length === this.limit ? rows.at(-1) : undefined;
    if (last) return { aggregateId: last.aggregateId, aggregateSeq: last.aggregateSeq };
    return lastSeen === null ? beginning : { aggregateId: lastSeen, aggregateSeq: lastSeq };
  }

  private async publish(tx: PoolClient, rows: OutboxRow[]): Promise<void> {
    await publishTraced(rows, (events) => this.options.bus.publish(events));
    await query(tx, markPublished, [rows.map((row) => row.eventId)]);
    this.metrics?.published.inc(rows.length);
  }

  private async pruneWhenDue(): Promise<void> {
    if (performance.now() - this.prunedAt < pruneEveryMs && this.prunedAt !== 0) return;
    this.prunedAt = performance.now();
    await pruneOutbox(this.pool, this.options.keepHours ?? 24);
  }
}
