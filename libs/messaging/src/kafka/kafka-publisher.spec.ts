import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Kafka, KafkaJSProtocolError, logLevel, type Producer, type ProducerConfig } from 'kafkajs';
import { KafkaPublisher } from './kafka-publisher';
import type { KafkaTopics } from './topics';

const createProducer = createRequire(__filename)('kafkajs/src/producer') as (options: object) => Producer;
const TOPIC = 'reseller.test.thing.v1';

/** Two brokers, a partition each; the first fails once, and then the second leads both. Keeps the keys that were stored. */
class MovingCluster {
  readonly stored: string[] = [];
  readonly retry = { retries: 2, initialRetryTime: 1 };
  readonly targetTopics = new Set([TOPIC]);
  private hasMoved = false;

  private readonly brokers = [1, 2].map((nodeId) => ({
    nodeId,
    initProducerId: () => Promise.resolve({ producerId: '1', producerEpoch: 0 }),
    produce: ({ topicData }: { topicData: TopicData[] }) => {
      if (nodeId === 1) {
        this.hasMoved = true;
        const moved = { type: 'NOT_LEADER_FOR_PARTITION', code: 6, retriable: true, message: 'it moved' };
        return Promise.reject(new KafkaJSProtocolError(moved as never));
      }
      const [{ topic, partitions }] = topicData as [TopicData];
      for (const { messages } of partitions) this.stored.push(...messages.map(({ key }) => key));
      const responses = partitions.map(({ partition }) => ({ partition, errorCode: 0, baseOffset: '0' }));
      return Promise.resolve({ topics: [{ topicName: topic, partitions: responses }] });
    },
  }));

  findLeaderForPartitions = (_: string, partitions: string[]): Record<number, number[]> => {
    const all = partitions.map(Number);
    if (this.hasMoved) return { 2: all };
    const led = { 1: all.filter((one) => one === 0), 2: all.filter((one) => one === 1) };
    return Object.fromEntries(Object.entries(led).filter(([, some]) => some.length > 0));
  };

  findTopicPartitionMetadata = () =>
    [0, 1].map((partitionId) => ({ partitionId, leader: this.hasMoved ? 2 : partitionId + 1, isr: [1, 2] }));
  findBroker = ({ nodeId }: { nodeId: string | number }) =>
    Promise.resolve(this.brokers.find((broker) => broker.nodeId === Number(nodeId)));
  findControllerBroker = () => Promise.resolve(this.brokers[1]);
  isConnected = (): boolean => true;
  connect = (): Promise<void> => Promise.resolve();
  disconnect = this.connect;
  refreshMetadata = this.connect;
  refreshMetadataIfNecessary = this.connect;
  addMultipleTargetTopics = this.connect;
}

interface TopicData {
  topic: string;
  partitions: { partition: number; messages: { key: string }[] }[];
}

const log = { namespace: () => log, debug: silent, info: silent, warn: silent, error: silent };
function silent(): void {
  // Its own lines are not what is tested.
}

/** kafkajs's own producer on such a cluster. */
function clientOf(cluster: MovingCluster): Kafka {
  const client = new Kafka({ brokers: ['localhost:1'], logLevel: logLevel.NOTHING });
  client.producer = (config?: ProducerConfig) => createProducer({ ...config, cluster, logger: log });
  return client;
}

const event = (aggregateId: string) => ({
  eventId: '00000000-0000-7000-8000-000000000000',
  topic: TOPIC,
  type: 'T',
  aggregateId,
  aggregateSeq: '1',
  occurredAt: new Date(0),
  payload: Buffer.of(1),
  headers: {},
});
/** A key of each partition, by murmur2. */
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('a publisher on Kafka', () => {
  it('when a partition moves to a broker that has responded already, then kafkajs as it comes resolves without its messages', async () => {
    const cluster = new MovingCluster();
    const producer = clientOf(cluster).producer({ idempotent: true, retry: cluster.retry });
    await producer.connect();
    await producer.sendBatch({
      topicMessages: [{ topic: TOPIC, messages: KEYS.map((key) => ({ key, value: 'v' })) }],
    });
    expect(cluster.stored.length).toBeLessThan(KEYS.length);
  });

  it('when that happens, then publishing rejects, and the next time every event is stored', async () => {
    const cluster = new MovingCluster();
    const publisher = new KafkaPublisher({
      makeClient: () => clientOf(cluster),
      topics: { ensure: () => Promise.resolve(), forget: silent } as unknown as KafkaTopics,
      nameOf: (topic) => topic,
      timeoutMs: 5_000,
    });
    const events = KEYS.map(event);
    await expect(publisher.publish(events)).rejects.toThrow(`Kafka acknowledged nothing for ${TOPIC}/0`);
    await publisher.publish(events);
    expect(new Set(cluster.stored)).toEqual(new Set(KEYS));
    await publisher.close();
  });

  it('when looking for its topics takes a publish longer than its time, then it sends nothing beside the publish after it', async () => {
    const cluster = new MovingCluster();
    const found: (() => void)[] = [];
    const publisher = new KafkaPublisher({
      makeClient: () => clientOf(cluster),
      topics: {
        ensure: () => new Promise<void>((resolve) => found.push(resolve)),
        forget: silent,
      } as unknown as KafkaTopics,
      nameOf: (topic) => topic,
      timeoutMs: 200,
    });
    await expect(publisher.publish([event('late')])).rejects.toThrow('Kafka did not respond in time');
    found.shift()?.();
    await pause(200);
    expect(cluster.stored).toEqual([]);
    await publisher.close();
  });

  it('when connecting takes a publish longer than its time, then it sends nothing', async () => {
    const cluster = new MovingCluster();
    let connected: () => void = silent;
    cluster.connect = () => new Promise<void>((resolve) => (connected = resolve));
    const publisher = new KafkaPublisher({
      makeClient: () => clientOf(cluster),
      topics: { ensure: () => Promise.resolve(), forget: silent } as unknown as KafkaTopics,
      nameOf: (topic) => topic,
      timeoutMs: 200,
    });
    await expect(publisher.publish([event('late')])).rejects.toThrow('Kafka did not respond in time');
    connected();
    await pause(200);
    expect(cluster.stored).toEqual([]);
    await publisher.close();
  });
});
