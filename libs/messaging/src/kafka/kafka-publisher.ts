import {
  KafkaJSAggregateError,
  KafkaJSProtocolError,
  Partitioners,
  type ICustomPartitioner,
  type Kafka,
  type Producer,
  type TopicMessages,
} from 'kafkajs';
import type { DomainEvent } from '../domain-event';
import { EventRefusedError } from '../event-refused-error';
import { CLIENT_RETRY } from './kafka-client';
import { namingTheSetting } from './kafka-refusal';
import { sizeOf, toMessage } from './message';
import { isTopicUnknown, type KafkaTopics } from './topics';

/** Below the megabyte that a broker takes at once by default, also when all of it is for one partition. */
const MOST_BYTES_AT_ONCE = 512 * 1_024;

/** For how long a publisher takes what it knows of a topic's partitions for true, in milliseconds. */
export const PUBLISHER_METADATA_AGE_MS = 5_000;

/** What a publisher works with. */
interface PublisherDeps {
  makeClient: () => Kafka;
  topics: KafkaTopics;
  nameOf: (topic: string) => string;
  /** After how long a publish that got no response rejects, in milliseconds. */
  timeoutMs: number;
}

/** Publishes one batch after another through an idempotent producer. */
export class KafkaPublisher {
  private last: Promise<unknown> = Promise.resolve();
  private producer: Promise<WatchedProducer> | undefined;

  constructor(private readonly deps: PublisherDeps) {}

  /** Resolves when all are on every in-sync replica; rejects within the time, and then some may be. */
  publish(events: DomainEvent[]): Promise<void> {
    // One at a time: after a lost response kafkajs gives the same sequence number to the next batch that waits, which the
    // broker would take for the one it has, and drop.
    const until = performance.now() + this.deps.timeoutMs;
    const mine = this.last.then(() => this.send(events, until));
    this.last = mine.catch(() => undefined);
    return mine;
  }

  async close(): Promise<void> {
    await this.last;
    await this.discard();
  }

  private async send(events: DomainEvent[], until: number): Promise<void> {
    const topics = [...new Set(events.map(({ topic }) => this.deps.nameOf(topic)))];
    const over = new AbortController();
    try {
      await before(until, this.sendAll(events, topics, over.signal));
    } catch (error) {
      over.abort(error);
      // Its sequence numbers may no longer be those of the broker: the next publish begins with a new producer.
      void this.discard();
      if (isTopicUnknown(error)) this.deps.topics.forget(topics);
      throw isRefusedForGood(error) ? new EventRefusedError(error) : namingTheSetting(error);
    }
  }

  /** Sends nothing once it is over: the next publish has begun, and one producer would serve both side by side. */
  private async sendAll(events: DomainEvent[], topics: string[], over: AbortSignal): Promise<void> {
    await this.deps.topics.ensure(topics);
    over.throwIfAborted();
    const producer = await (this.producer ??= this.connect());
    for (const some of portions(events)) {
      over.throwIfAborted();
      await producer.send(this.byTopic(some));
    }
  }

  private byTopic(events: DomainEvent[]): TopicMessages[] {
    const byTopic = new Map<string, TopicMessages & { messages: ReturnType<typeof toMessage>[] }>();
    for (const event of events) {
      const topic = this.deps.nameOf(event.topic);
      const of = byTopic.get(topic) ?? { topic, messages: [] };
      of.messages.push(toMessage(event));
      byTopic.set(topic, of);
    }
    return [...byTopic.values()];
  }

  private async connect(): Promise<WatchedProducer> {
    const producer = new WatchedProducer(this.deps.makeClient());
    await producer.connect();
    return producer;
  }

  private async discard(): Promise<void> {
    const { producer } = this;
    this.producer = undefined;
    await producer?.then((connected) => connected.disconnect()).catch(() => undefined);
  }
}

/**
 * A producer that rejects unless the brokers have acknowledged every partition it sent to. When a broker fails whose partitions move to
 * one that has responded to the same batch already, kafkajs passes that one over and resolves, and its messages are nowhere
 * (its pull request 1798).
 */
class WatchedProducer {
  private readonly chosen = new Set<string>();
  private readonly producer: Producer;

  constructor(client: Kafka) {
    this.producer = client.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: this.createPartitioner,
      retry: CLIENT_RETRY,
      metadataMaxAge: PUBLISHER_METADATA_AGE_MS,
    });
  }

  connect(): Promise<void> {
    return this.producer.connect();
  }

  disconnect(): Promise<void> {
    return this.producer.disconnect();
  }

  async send(topicMessages: TopicMessages[]): Promise<void> {
    this.chosen.clear();
    const stored = await this.producer.sendBatch({ acks: -1, timeout: 5_000, topicMessages });
    for (const { topicName, partition } of stored) this.chosen.delete(`${topicName}/${partition}`);
    if (this.chosen.size > 0)
      throw new Error(`Kafka acknowledged nothing for ${[...this.chosen].join(', ')}`);
  }

  /** The partition of a key as Java's clients have it. */
  private readonly createPartitioner: ICustomPartitioner = () => {
    const choose = Partitioners.DefaultPartitioner();
    return (message) => {
      const partition = choose(message);
      this.chosen.add(`${message.topic}/${partition}`);
      return partition;
    };
  };
}

/** What brokers say of a message that they will never take; all else, permissions too, may pass. */
const REFUSALS = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'INVALID_TOPIC_EXCEPTION',
]);

function isRefusedForGood(error: unknown): boolean {
  if (error instanceof KafkaJSAggregateError) return error.errors.some(isRefusedForGood);
  if (error instanceof KafkaJSProtocolError && REFUSALS.has(error.type)) return true;
  return error instanceof Error && error.cause !== undefined && isRefusedForGood(error.cause);
}

/** In order, each small enough for a broker. */
function* portions(events: DomainEvent[]): Generator<DomainEvent[]> {
  let portion: DomainEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    const size = sizeOf(event);
    if (portion.length > 0 && bytes + size > MOST_BYTES_AT_ONCE) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(event);
    bytes += size;
  }
  if (portion.length > 0) yield portion;
}

async function before<T>(until: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const expire = (): void =>
      reject(new Error('Kafka did not respond in time; what was sent may be stored'));
    timer = setTimeout(expire, Math.max(0, until - performance.now()));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
