import {
  createPool,
  createSessionPool,
  sqlStateOf,
  type DatabaseAddress,
  type SessionPool,
} from '@reseller/database';
import type { Logger } from 'pino';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { BackgroundLoop } from '../background-loop';
import type { DomainEvent } from '../domain-event';
import type { EventBus, Stoppable, Subscription } from '../event-bus';
import { EventRefusedError } from '../event-refused-error';
import { createBusMetrics } from '../messaging-metrics';
import { ChannelListener } from './channel-listener';
import { GroupConsumer } from './group-consumer';
import { ensureEventBusSchema } from './schema';
import { tendSegments } from './segments';

/** How a bus on PostgreSQL is set up. */
interface PostgresEventBusOptions extends DatabaseAddress {
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  metrics?: Registry;
  /** Partitions of a topic that is new, which it keeps; 8 by default. */
  partitions?: number;
  /** After how long without a heartbeat a consumer's partitions go to others, in milliseconds; 10,000 by default. */
  leaseMs?: number;
  /** For how many hours events are kept that every group has handled, at least, and a seventh longer at most; 168 by default. */
  keepHours?: number;
  /** How often a group's lag is measured, in milliseconds; 10,000 by default. */
  lagEveryMs?: number;
  /** The most connections, for publishing and for consuming each; 3 by default. */
  maxConnections?: number;
}

const TEND_EVERY_MS = 10 * 60_000;

/**
 * An event bus in a PostgreSQL database, which it creates together with its schema when first used: an append-only log
 * with partitions by key, groups with committed offsets and fenced leases, at-least-once delivery.
 */
export function createPostgresEventBus(options: PostgresEventBusOptions): EventBus {
  return new PostgresEventBus(options);
}

class PostgresEventBus implements EventBus {
  private readonly publishing: Pool;
  private readonly consuming: Pool;
  private readonly partitions: number;
  private readonly consumers = new Set<GroupConsumer>();
  private readonly metrics;
  private readonly listening: SessionPool;
  private readonly tending: BackgroundLoop;
  private listener: ChannelListener | undefined;
  private schema: Promise<void> | undefined;

  constructor(private readonly options: PostgresEventBusOptions) {
    const {
      connectionString,
      pooler,
      directConnectionString,
      log,
      metrics,
      maxConnections: max = 3,
    } = options;
    const address = { connectionString, pooler, directConnectionString };
    this.partitions = options.partitions ?? 8;
    this.metrics = metrics && createBusMetrics(metrics);
    this.publishing = createPool({
      ...address,
      max,
      name: 'event-bus-publish',
      log,
      ...(metrics && { metrics }),
    });
    this.consuming = createPool({
      ...address,
      max,
      name: 'event-bus-consume',
      log,
      ...(metrics && { metrics }),
    });
    this.listening = createSessionPool({ ...address, max: 1, name: 'event-bus-listen', log });
    this.tending = new BackgroundLoop(
      () => this.tend(),
      (error) => log.warn({ err: error }, 'the segments of the event bus could not be tended'),
    );
  }

  async publish(events: DomainEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.ensureSchema();
    await this.store(events).catch((error: unknown) => {
      throw isRefusedForGood(error) ? new EventRefusedError(error) : error;
    });
  }

  private async store(events: DomainEvent[]): Promise<void> {
    await this.publishing.query({
      name: 'event_bus_publish',
      text: `SELECT event_bus.publish($1, $2::text[], $3::text[], $4::uuid[], $5::text[], $6::bigint[],
                                      $7::timestamptz[], $8::bytea[], $9::text[])`,
      values: [
        this.partitions,
        events.map((event) => event.topic),
        events.map((event) => event.type),
        events.map((event) => event.eventId),
        events.map((event) => event.aggregateId),
        events.map((event) => event.aggregateSeq),
        events.map((event) => event.occurredAt.toISOString()),
        events.map((event) => Buffer.from(event.payload)),
        events.map((event) => JSON.stringify(event.headers)),
      ],
    });
  }

  subscribe(subscription: Subscription): Stoppable {
    const consumer = new GroupConsumer({
      subscription,
      pool: this.consuming,
      partitions: this.partitions,
      leaseMs: this.options.leaseMs ?? 10_000,
      lagEveryMs: this.options.lagEveryMs ?? 10_000,
      log: this.options.log,
      metrics: this.metrics,
      ensureSchema: () => this.ensureSchema(),
    });
    this.consumers.add(consumer);
    const hear = (partitions: string): void => this.consumers.forEach((each) => each.hear(partitions));
    this.listener ??= new ChannelListener({
      pool: this.listening,
      channel: 'event_bus',
      prepare: () => this.ensureSchema(),
      // An empty text means any of the partitions; heartbeats find the rest.
      onListening: () => hear(''),
      onNotification: hear,
      onFailure: (error) => this.options.log.warn({ err: error }, 'the event bus cannot be listened to'),
    });
    const stop = async (): Promise<void> => {
      this.consumers.delete(consumer);
      await consumer.stop();
    };
    return { stop };
  }

  async close(): Promise<void> {
    await Promise.all([
      this.tending.stop(),
      this.listener?.stop(),
      ...[...this.consumers].map((consumer) => consumer.stop()),
    ]);
    this.consumers.clear();
    await Promise.all([this.publishing.end(), this.consuming.end(), this.listening.end()]);
  }

  private ensureSchema(): Promise<void> {
    this.schema ??= ensureEventBusSchema(this.publishing, this.options).catch((error: unknown) => {
      this.schema = undefined;
      throw error;
    });
    return this.schema;
  }

  private async tend(): Promise<number> {
    await this.ensureSchema();
    const { log, keepHours = 168 } = this.options;
    await tendSegments({ pool: this.publishing, log }, keepHours);
    return TEND_EVERY_MS;
  }
}

/** What is wrong with a value (class 22, 23502, 23514), or too large for its place (54000): the same event fails the same way again. */
function isRefusedForGood(error: unknown): boolean {
  const state = sqlStateOf(error) ?? '';
  return state.startsWith('22') || ['23502', '23514', '54000'].includes(state);
}
