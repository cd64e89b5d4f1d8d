import { setTimeout as pause } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, Kafka, Offsets } from 'kafkajs';
import type { ConsumerDeps } from '../consumer-deps';
import { PartitionWorker } from '../partition-worker';
import { Assignment, type Leftovers } from './assignment';
import { balancedAssigner } from './balanced-assigner';
import type { KafkaAdmin } from './kafka-admin';
import { CLIENT_RETRY } from './kafka-client';
import { KafkaPartition } from './kafka-partition';
import { fromMetadata } from './message';

/** What a consumer session works with. */
export interface SessionDeps extends ConsumerDeps {
  makeClient: () => Kafka;
  admin: KafkaAdmin;
  groupId: string;
  /** The topics as the bus names them, by their names on Kafka. */
  topics: Map<string, string>;
  sessionTimeoutMs: number;
  leftovers: Leftovers;
}

/** How long a kafkajs consumer may send no heartbeat before it is replaced. */
const MOST_SILENCE_MS = 60_000;
const DEFAULT_BATCH_SIZE = 100;

/**
 * One kafkajs consumer from its start to its stop or crash. Its loop only fetches, sends heartbeats and hands events to the
 * partitions' workers, so that no handler holds up a heartbeat or another partition.
 */
export class ConsumerSession {
  private readonly consumer: Consumer;
  private assignment: Assignment;
  private ready: Promise<void> = Promise.resolve();
  private readonly failure = new AbortController();
  private commitOffsets: ((offsets: Offsets) => Promise<void>) | undefined;
  private heardAt = performance.now();
  private isStopping = false;

  constructor(private readonly deps: SessionDeps) {
    this.assignment = new Assignment(deps.leftovers);
    const { sessionTimeoutMs } = deps;
    this.consumer = deps.makeClient().consumer({
      groupId: deps.groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: 30_000,
      heartbeatInterval: Math.min(1_000, Math.floor(sessionTimeoutMs / 5)),
      maxWaitTimeInMs: 250,
      maxBytesPerPartition: 1_024 * 1_024,
      maxBytes: 4 * 1_024 * 1_024,
      // So soon are partitions consumed that were added to a topic.
      metadataMaxAge: 10_000,
      allowAutoTopicCreation: false,
      partitionAssigners: [
        balancedAssigner({
          before: () => this.assignment.end(sessionTimeoutMs / 3),
          failed: (error) => this.fail(error),
        }),
      ],
      // kafkajs starts a consumer again after some crashes and leaves it dead after others (its issues 1445, 1513):
      // here each crash ends the session, and a new one begins.
      retry: { ...CLIENT_RETRY, restartOnFailure: () => Promise.resolve(false) },
    });
  }

  /** Consumes until the signal; rejects when the consumer has crashed. */
  async run(signal: AbortSignal): Promise<void> {
    const { consumer } = this;
    const { CRASH, GROUP_JOIN, HEARTBEAT, FETCH_START, CONNECT } = consumer.events;
    consumer.on(CRASH, ({ payload }) => this.fail(payload.error));
    consumer.on(GROUP_JOIN, ({ payload }) => this.begin(payload.memberAssignment));
    for (const event of [HEARTBEAT, FETCH_START, CONNECT] as const)
      consumer.on(event, () => (this.heardAt = performance.now()));
    await this.start();
    const ended = AbortSignal.any([signal, this.failure.signal]);
    while (!signal.aborted) {
      // No race with what lives as long as the session, which would keep something of every wait.
      await pause(1_000, undefined, { signal: ended }).catch(() => undefined);
      this.failure.signal.throwIfAborted();
      this.assignment.revive();
      if (performance.now() - this.heardAt > MOST_SILENCE_MS)
        throw new Error('the Kafka consumer sends no heartbeat and is replaced');
    }
  }

  /** Lets what is in flight end, for so long, and leaves the group. */
  async close(waitMs: number): Promise<void> {
    this.isStopping = true;
    await this.assignment.end(waitMs);
    this.reportOwned({});
    // A broker that is away is not waited for.
    await Promise.race([
      this.consumer.disconnect().catch(() => undefined),
      pause(10_000, undefined, { ref: false }),
    ]);
  }

  /** When the oldest event that waits in each topic was stored, by the topic's name on Kafka. */
  oldestByTopic(): Map<string, number> {
    return this.assignment.oldestByTopic();
  }

  private async start(): Promise<void> {
    const { consumer } = this;
    const { signal } = this.failure;
    const failed = new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
    const orFailed = (work: Promise<void>): Promise<void> => Promise.race([work, failed]);
    await orFailed(consumer.connect());
    await orFailed(consumer.subscribe({ topics: [...this.deps.topics.keys()], fromBeginning: true }));
    await orFailed(consumer.run({ autoCommit: false, eachBatch: (payload) => this.take(payload) }));
  }

  private fail(error: unknown): void {
    this.failure.abort(error);
  }

  private begin(memberAssignment: Record<string, number[]>): void {
    this.heardAt = performance.now();
    const assignment = new Assignment(this.deps.leftovers);
    this.assignment = assignment;
    if (this.isStopping) return;
    this.reportOwned(memberAssignment);
    this.ready = this.load(assignment, memberAssignment);
    this.ready.catch((error: unknown) => this.fail(error));
  }

  private reportOwned(assigned: Record<string, number[]>): void {
    const { metrics, subscription, topics } = this.deps;
    for (const [name, topic] of topics)
      metrics?.owned.set({ group: subscription.group, topic }, assigned[name]?.length ?? 0);
  }

  /** Reads how far the group is: what an earlier owner wrote up to this join, and nothing after it. */
  private async load(assignment: Assignment, assigned: Record<string, number[]>): Promise<void> {
    const { admin, groupId } = this.deps;
    const topics = Object.keys(assigned);
    if (topics.length === 0) return;
    const committed = await admin.groupOffsets(groupId, topics);
    for (const topic of topics) {
      const isNew = committed.some((at) => at.topic === topic && at.offset < 0n);
      const bounds = isNew ? await admin.topicOffsets(topic) : undefined;
      for (const partition of assigned[topic] ?? []) {
        const at = committed.find((known) => known.topic === topic && known.partition === partition);
        const offset = at && at.offset >= 0n ? at.offset : (bounds?.get(partition)?.low ?? 0n);
        this.own(assignment, { topic, partition }, offset, at?.metadata ?? null);
      }
    }
  }

  private own(
    assignment: Assignment,
    at: { topic: string; partition: number },
    offset: bigint,
    metadata: string | null,
  ): void {
    const topic = this.deps.topics.get(at.topic) ?? at.topic;
    const { batchSize = DEFAULT_BATCH_SIZE } = this.deps.subscription;
    const partitions = [{ topic: at.topic, partitions: [at.partition] }];
    const store = new KafkaPartition(
      { topic, partition: at.partition },
      offset,
      fromMetadata(metadata),
      {
        write: (next, text) => this.write(at, next, text),
        seek: (next) => this.consumer.seek({ ...at, offset: next }),
        pause: () => this.consumer.pause(partitions),
        resume: () => this.consumer.resume(partitions),
      },
      Math.max(2 * batchSize, 200),
    );
    this.consumer.resume(partitions);
    const worker = new PartitionWorker({ topic, partition: at.partition, epoch: '' }, store, this.deps);
    assignment.add({ ...at, store, worker });
  }

  private async take({ batch, commitOffsetsIfNecessary }: EachBatchPayload): Promise<void> {
    this.commitOffsets = commitOffsetsIfNecessary;
    const { assignment } = this;
    await this.ready;
    assignment.take(batch, batch.messages);
  }

  /** False when the group has moved on to another generation: the broker refuses, and the events are another's. */
  private async write(
    { topic, partition }: { topic: string; partition: number },
    offset: string,
    metadata: string,
  ): Promise<boolean> {
    if (!this.commitOffsets) return false;
    const partitions = [{ partition, offset, metadata }];
    try {
      await this.commitOffsets({ topics: [{ topic, partitions }] });
      return true;
    } catch (error) {
      if (FENCED.has((error as { type?: string }).type ?? '')) return false;
      throw error;
    }
  }
}

const FENCED = new Set([
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'REBALANCE_IN_PROGRESS',
  'FENCED_INSTANCE_ID',
]);
