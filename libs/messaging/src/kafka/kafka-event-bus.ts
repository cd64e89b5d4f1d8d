import type { ISocketFactory, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { DomainEvent } from '../domain-event';
import type { EventBus, Stoppable, Subscription } from '../event-bus';
import { createBusMetrics } from '../messaging-metrics';
import { KafkaAdmin } from './kafka-admin';
import { createKafkaClient } from './kafka-client';
import { KafkaGroupConsumer } from './kafka-group-consumer';
import { KafkaPublisher } from './kafka-publisher';
import type { KafkaSettings } from './kafka-settings';
import { KafkaTopics } from './topics';

/** How a bus on Kafka is set up. */
export interface KafkaEventBusOptions extends KafkaSettings {
  /** `kafka://host:port[,host:port]`, or `kafka+ssl://…` for TLS. */
  url: string;
  clientId: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  metrics?: Registry;
  /** After how long without a heartbeat a consumer's partitions go to others, in milliseconds; 10,000 by default. */
  sessionTimeoutMs?: number;
  /** After how long a publish that got no response rejects, in milliseconds; 15,000 by default. */
  publishTimeoutMs?: number;
  /** How often a group's lag is measured, in milliseconds; 5,000 by default. */
  lagEveryMs?: number;
  /** Opens the connections; for tests that cut them. */
  socketFactory?: ISocketFactory;
}

/**
 * An event bus on Kafka: an idempotent producer that waits for every in-sync replica, consumers that commit by hand
 * after the effect, attempts counted in the committed offsets. It makes the topics it uses.
 */
export function createKafkaEventBus(options: KafkaEventBusOptions): EventBus {
  return new KafkaEventBus(options);
}

class KafkaEventBus implements EventBus {
  private readonly admin: KafkaAdmin;
  private readonly kafkaTopics: KafkaTopics;
  private readonly publisher: KafkaPublisher;
  private readonly consumers = new Set<KafkaGroupConsumer>();
  private readonly metrics;

  constructor(private readonly options: KafkaEventBusOptions) {
    const { log, metrics, partitions = 12, replicationFactor = 1 } = options;
    this.metrics = metrics && createBusMetrics(metrics);
    this.admin = new KafkaAdmin(this.makeClient);
    this.kafkaTopics = new KafkaTopics(this.admin, { partitions, replicationFactor }, log);
    this.publisher = new KafkaPublisher({
      makeClient: this.makeClient,
      topics: this.kafkaTopics,
      nameOf: this.nameOf,
      timeoutMs: options.publishTimeoutMs ?? 15_000,
    });
  }

  async publish(events: DomainEvent[]): Promise<void> {
    if (events.length > 0) await this.publisher.publish(events);
  }

  subscribe(subscription: Subscription): Stoppable {
    const consumer = new KafkaGroupConsumer({
      subscription,
      log: this.options.log,
      metrics: this.metrics,
      makeClient: this.makeClient,
      admin: this.admin,
      kafkaTopics: this.kafkaTopics,
      groupId: this.nameOf(subscription.group),
      topics: new Map(subscription.topics.map((topic) => [this.nameOf(topic), topic])),
      sessionTimeoutMs: this.options.sessionTimeoutMs ?? 10_000,
      lagEveryMs: this.options.lagEveryMs ?? 5_000,
      leftovers: new Map(),
    });
    this.consumers.add(consumer);
    const stop = async (): Promise<void> => {
      this.consumers.delete(consumer);
      await consumer.stop();
    };
    return { stop };
  }

  async close(): Promise<void> {
    await Promise.all([...this.consumers].map((consumer) => consumer.stop()));
    this.consumers.clear();
    await this.publisher.close();
    await this.admin.close();
  }

  private readonly makeClient = (): Kafka => createKafkaClient(this.options);

  private readonly nameOf = (name: string): string => `${this.options.prefix ?? ''}${name}`;
}
