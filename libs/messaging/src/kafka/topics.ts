import { KafkaJSAggregateError, KafkaJSProtocolError, type Admin } from 'kafkajs';
import type { Logger } from 'pino';
import type { KafkaAdmin } from './kafka-admin';

const DAY_MS = 86_400_000;

/** How a topic is made. */
interface TopicPlan {
  topic: string;
  partitions: number;
  replicationFactor: number;
  config: Record<string, string>;
}

/** How a topic of the bus is made on Kafka: events stay for 7 days, as long as the outbox's relays and every group may be away. */
function topicPlan(topic: string, wanted: { partitions: number; replicationFactor: number }): TopicPlan {
  const { partitions, replicationFactor } = wanted;
  return {
    topic,
    partitions,
    replicationFactor,
    config: {
      'cleanup.policy': 'delete',
      'retention.ms': String(7 * DAY_MS),
      // By when they came, not by when they happened: an event that waited long in its outbox is not old here.
      'message.timestamp.type': 'LogAppendTime',
      // One copy may be away. With two copies that would leave one, which a crash could lose.
      'min.insync.replicas': String(replicationFactor >= 3 ? 2 : 1),
      'compression.type': 'producer',
      'max.message.bytes': '4194304',
    },
  };
}

/** Makes topics before they are used, and logs which ones are there with fewer partitions than wanted. */
export class KafkaTopics {
  private readonly known = new Map<string, Promise<void>>();
  /** How many partitions each was last seen with. */
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly admin: KafkaAdmin,
    private readonly wanted: { partitions: number; replicationFactor: number },
    private readonly log: Pick<Logger, 'info' | 'warn'>,
  ) {}

  /** Makes those that are missing; many processes may do so at once. What exists is never changed. */
  async ensure(topics: string[]): Promise<void> {
    const unknown = topics.filter((topic) => !this.known.has(topic));
    if (unknown.length > 0) {
      const ensuring = this.admin.use((admin) => this.make(admin, unknown));
      for (const topic of unknown) this.known.set(topic, ensuring);
      ensuring.catch(() => this.forget(unknown));
    }
    for (const topic of topics) await this.known.get(topic);
  }

  /** Looks again at the next use: the brokers did not have them. */
  forget(topics: string[]): void {
    for (const topic of topics) this.known.delete(topic);
  }

  private async make(admin: Admin, topics: string[]): Promise<void> {
    const existing = new Set(await admin.listTopics());
    const plans = topics.map((topic) => topicPlan(topic, this.wanted));
    const missing = plans.filter(({ topic }) => !existing.has(topic));
    if (missing.length > 0) await this.create(admin, missing);
    await this.compare(
      admin,
      plans.filter(({ topic }) => existing.has(topic)),
    );
  }

  private async create(admin: Admin, plans: TopicPlan[]): Promise<void> {
    const names = plans.map(({ topic }) => topic);
    try {
      await admin.createTopics({
        waitForLeaders: true,
        timeout: 10_000,
        topics: plans.map(({ topic, partitions, replicationFactor, config }) => ({
          topic,
          numPartitions: partitions,
          replicationFactor,
          configEntries: Object.entries(config).map(([name, value]) => ({ name, value })),
        })),
      });
      this.log.info({ topics: names }, 'topics were made on Kafka');
    } catch (error) {
      const reasons = (error instanceof KafkaJSAggregateError ? error.errors : [error]).map(String);
      throw new Error(
        `Kafka has no topic ${names.join(', ')} and did not make it (${reasons.join('; ')}): make it as deploy/kafka/topics.json says, or permit it`,
        { cause: error },
      );
    }
  }

  private async compare(admin: Admin, plans: TopicPlan[]): Promise<void> {
    if (plans.length === 0) return;
    const { topics } = await admin.fetchTopicMetadata({ topics: plans.map(({ topic }) => topic) });
    for (const { topic } of plans)
      this.note(topic, topics.find(({ name }) => name === topic)?.partitions.length ?? 0);
  }

  /** Logs that a topic has fewer partitions than wanted, once: also one that was made again by others while it was in use. */
  note(topic: string, partitions: number): void {
    const { partitions: wanted } = this.wanted;
    const isNew = this.counts.get(topic) !== partitions;
    this.counts.set(topic, partitions);
    if (isNew && partitions < wanted)
      this.log.warn(
        { topic, partitions, wanted },
        'a topic has fewer partitions than wanted and is left as it is: more would part the events of an aggregate',
      );
  }
}

/** Whether the brokers do not know a topic, as when it was deleted. */
export function isTopicUnknown(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof KafkaJSProtocolError && at.type === 'UNKNOWN_TOPIC_OR_PARTITION') return true;
  return false;
}
