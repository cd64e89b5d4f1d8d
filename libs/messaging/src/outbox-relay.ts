import {
  appendedNoEvent,
  createPool,
  query,
  withTransaction,
  type DatabaseAddress,
} from '@reseller/database';
import type { Logger } from 'pino';
import type { Pool, PoolClient } from 'pg';
import type { Registry } from 'prom-client';
import { BackgroundLoop } from './background-loop';
import type { DomainEvent } from './domain-event';
import type { EventBus, Stoppable } from './event-bus';
import { createRelayMetrics } from './messaging-metrics';
import { OutboxCursor, type Look } from './outbox-cursor';
import { inOrder, type WaitingEvent } from './outbox-order';
import {
  ANY_WAITING,
  LOCK_SLOTS,
  MARK_PUBLISHED,
  NEXT_SLICE,
  PARK,
  type LockedSlots,
} from './outbox-slice.sql';
import { publishIsolated, type Isolated } from './publish-isolated';
import { RelayPace } from './relay-pace';
import { publishTraced } from './traced';

/** What a relay works with; it has one connection of its own to that address. */
type RelayOptions = DatabaseAddress & {
  bus: Pick<EventBus, 'publish'>;
  log: Pick<Logger, 'warn' | 'error'>;
  metrics?: Registry;
  /** The most events published at once; 500 by default. */
  batchSize?: number;
  /**
   * The pool of the service's own work: a connection that comes back to it may have committed an event, and is the word to look;
   * but for what `queryWithoutEvents` ran.
   * Without it the relay polls. Never the relay's own pool.
   */
  writers?: Pool;
  /** The rest between two looks, in milliseconds; 25 by default. Doubles up to four times that while nothing comes. */
  pollMs?: number;
};

/** Trying halves of a slice ends before anything ends the transaction that holds its slots. */
const ISOLATION_BUDGET_MS = 10_000;
/** Between two looks of which the first saw a backlog and could take nothing of it. */
const TURN_MS = 5;

/**
 * Publishes what the outbox holds, oldest first and in order within each aggregate, and marks it; goes on through a lost
 * database and an absent bus. An event that the bus refuses for good is parked, and what follows it in its aggregate waits
 * behind it. Several relays of one database share the work, each aggregate at one of them at a time, and take over from one that
 * ends (docs/adr/0004).
 */
export function createOutboxRelay(options: RelayOptions): Stoppable & { wake(): void } {
  const { connectionString, pooler, directConnectionString, log } = options;
  const address = { connectionString, pooler, directConnectionString };
  const pool = createPool({ ...address, max: 1, name: 'outbox-relay', log });
  const relay = new OutboxRelay(pool, options);
  const loop = new BackgroundLoop(
    () => relay.round(),
    (error) => relay.failed(error),
  );
  const onRelease = (_error: Error | undefined, client: object): void => {
    if (!appendedNoEvent(client)) relay.schedule(() => loop.wake());
  };
  options.writers?.on('release', onRelease);
  const stop = async (): Promise<void> => {
    options.writers?.off('release', onRelease);
    await loop.stop();
    await pool.end();
  };
  return { stop, wake: () => loop.wake() };
}

class OutboxRelay {
  private readonly cursor = new OutboxCursor();
  private readonly pace: RelayPace;
  private isScheduled = false;
  private readonly metrics;

  constructor(
    private readonly pool: Pool,
    private readonly options: RelayOptions,
  ) {
    this.metrics = options.metrics && createRelayMetrics(options.metrics);
    this.pace = new RelayPace(options.pollMs ?? 25, options.writers !== undefined);
  }

  /** There may be something to publish: has `look` called when it is time. */
  schedule(look: () => void): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setTimeout(() => {
      this.isScheduled = false;
      look();
    }, this.pace.untilLook()).unref();
  }

  failed(error: unknown): void {
    this.cursor.reset();
    this.metrics?.failures.inc();
    this.options.log.warn({ err: error }, 'the outbox relay failed and tries again');
  }

  async round(): Promise<number> {
    this.pace.looks();
    const look = this.cursor.look();
    const waiting = await query(this.pool, ANY_WAITING, [fromOf(look), look.ago]);
    if (waiting.length === 0) {
      this.cursor.sawNothing();
      return this.pace.sawNothing();
    }
    const { isBehind, done } = await withTransaction(this.pool, (tx) => this.publishSlice(tx, look), {
      attempts: 1,
    });
    const restMs = this.pace.published(done);
    if (!isBehind) return restMs;
    return done > 0 ? 0 : TURN_MS;
  }

  /** Publishes what other relays do not have at the moment; returns whether more is waiting, and how many events are through. */
  private async publishSlice(tx: PoolClient, look: Look): Promise<{ isBehind: boolean; done: number }> {
    const limit = this.options.batchSize ?? 500;
    const [seen] = await query<LockedSlots>(tx, LOCK_SLOTS, [
      fromOf(look),
      look.ago,
      limit,
      limit * look.slices,
      look.without,
    ]);
    // Nobody may publish for a while: what has come meanwhile is older than a glance sees.
    if (seen && !seen.isOpen) {
      this.cursor.reset();
      return { isBehind: false, done: 0 };
    }
    if (!seen?.first) {
      if (seen) this.cursor.saw(seen, 0, false);
      return { isBehind: seen !== undefined && !seen.isEnd, done: 0 };
    }
    // A statement of its own, after the locks: it sees all that their last holders have marked.
    const upTo = seen.isEnd ? 'infinity' : seen.last;
    const within = [seen.first, upTo, seen.slots, look.without, limit];
    const rows = seen.slots.length > 0 ? await query<WaitingEvent>(tx, NEXT_SLICE, within) : [];
    const { ready, behindParked } = inOrder(rows);
    const result = ready.length > 0 ? await this.publish(tx, ready) : nothing;
    await this.park(tx, result, behindParked);
    const done = ready.length + behindParked.length;
    this.cursor.saw(seen, done, seen.isBehind || done < rows.length || seen.slots.length < seen.slotCount);
    return { isBehind: seen.isBehind || !seen.isEnd, done };
  }

  private async publish(tx: PoolClient, events: DomainEvent[]): Promise<Isolated> {
    const result = await publishIsolated(events, {
      publish: (some) => publishTraced(some, (traced) => this.options.bus.publish(traced)),
      // The server must not take a transaction for forgotten while its events are tried.
      pulse: () => tx.query('SELECT 1'),
      budgetMs: ISOLATION_BUDGET_MS,
    });
    if (result.published.length > 0)
      await query(tx, MARK_PUBLISHED, [result.published.map(({ eventId }) => eventId)]);
    this.metrics?.published.inc(result.published.length);
    return result;
  }

  private async park(
    tx: PoolClient,
    { refused, behind }: Isolated,
    behindParked: DomainEvent[],
  ): Promise<void> {
    const waiting = [...behind, ...behindParked];
    if (refused.length + waiting.length === 0) return;
    await query(tx, PARK, [
      [...refused.map(({ event }) => event.eventId), ...waiting.map(({ eventId }) => eventId)],
      [...refused.map(({ reason }) => reason), ...waiting.map(() => null)],
    ]);
    this.metrics?.parked.inc(refused.length);
    for (const { event, reason } of refused) {
      const { eventId, topic, type, aggregateId } = event;
      this.options.log.error(
        { eventId, topic, type, aggregateId, reason },
        'the event bus refused an event: it is parked',
      );
    }
  }
}

const nothing: Isolated = { published: [], refused: [], behind: [] };

/** An open end is the oldest event there is. */
const fromOf = ({ from, ago }: Look): string | null => (from === null && ago === null ? '-infinity' : from);
