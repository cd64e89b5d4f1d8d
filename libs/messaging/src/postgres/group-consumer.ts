import { randomUUID } from 'node:crypto';
import { BackgroundLoop } from '../background-loop';
import type { Stoppable } from '../event-bus';
import { startAtZero } from '../messaging-metrics';
import type { ConsumerDeps } from '../consumer-deps';
import type { OwnedPartition } from '../partition-store';
import { DEFAULT_BATCH_SIZE, PartitionWorker } from '../partition-worker';
import type { Pool } from 'pg';
import { GroupStore, keyOf } from './group-store';

const MOST_BETWEEN_HEARTBEATS_MS = 2_000;

/** What a member of a group on PostgreSQL works with. */
interface GroupConsumerDeps extends ConsumerDeps {
  pool: Pool;
  partitions: number;
  leaseMs: number;
  lagEveryMs: number;
  ensureSchema: () => Promise<void>;
}

/** One member of a group: keeps its leases, shares partitions with the other members, hands events to the handler. */
export class GroupConsumer implements Stoppable {
  private readonly store: GroupStore;
  private readonly workers = new Map<string, PartitionWorker>();
  /** Handlers that still run in partitions that were lost, by `topic/partition`: nothing begins there before they have ended. */
  private readonly leftovers = new Map<string, Promise<void>>();
  private readonly heartbeats: BackgroundLoop;
  private nextLagAt = 0;
  private stopped: Promise<void> | undefined;

  constructor(private readonly deps: GroupConsumerDeps) {
    const { pool, subscription, metrics, log } = deps;
    this.store = new GroupStore(pool, subscription.group, randomUUID());
    if (metrics) startAtZero(metrics, subscription.group, subscription.topics);
    const failed = (error: unknown): void => {
      // What cannot be measured is left out, rather than reported as it was.
      for (const topic of subscription.topics) {
        metrics?.lag.remove({ group: subscription.group, topic });
        metrics?.lagSeconds.remove({ group: subscription.group, topic });
      }
      log.warn({ err: error, group: subscription.group }, 'the event bus failed and is tried again');
    };
    this.heartbeats = new BackgroundLoop(() => this.heartbeat(), failed);
  }

  /** Hears which partitions have new events, as `topic/partition` with spaces between; an empty text means any. */
  hear(news: string): void {
    const named = new Set(news.split(' '));
    for (const worker of this.workers.values())
      if (news === '' || named.has(placeOf(worker.of))) this.begin(worker);
  }

  /** Ends after what is being handled, and gives the partitions to the other members. */
  stop(): Promise<void> {
    this.stopped ??= this.leave();
    return this.stopped;
  }

  private async leave(): Promise<void> {
    const workers = [...this.workers.values()];
    await Promise.all([...workers.map((worker) => worker.drain()), ...this.leftovers.values()]);
    await this.heartbeats.stop();
    try {
      await this.store.release([...this.workers.values()].map((worker) => worker.of));
      await this.store.leave();
      this.workers.clear();
      this.reportOwned();
    } catch (error) {
      // The leases end by themselves.
      this.deps.log.warn({ err: error }, 'a consumer could not sign off from the event bus');
    }
  }

  private async heartbeat(): Promise<number> {
    const { subscription, leaseMs, partitions } = this.deps;
    await this.deps.ensureSchema();
    const { batchSize = DEFAULT_BATCH_SIZE } = subscription;
    const settings = { partitions, leaseMs, batchSize };
    const { owned, behind, share } = await this.store.heartbeat(subscription.topics, settings);
    this.adopt(owned);
    await this.giveUp(owned.slice(share));
    this.reopen(owned.slice(0, share));
    for (const of of behind) this.begin(this.workers.get(keyOf(of)));
    this.reportOwned();
    if (performance.now() >= this.nextLagAt) await this.reportLag();
    return Math.min(leaseMs / 3, MOST_BETWEEN_HEARTBEATS_MS);
  }

  /** Makes the workers match what is owned. */
  private adopt(owned: OwnedPartition[]): void {
    const keys = new Set(owned.map(keyOf));
    for (const [key, worker] of this.workers) {
      if (keys.has(key)) continue;
      // Another member has it by now: what is in flight here can no longer commit.
      this.leaveBehind(worker);
      this.workers.delete(key);
    }
    for (const of of owned)
      if (!this.workers.has(keyOf(of)))
        this.workers.set(keyOf(of), new PartitionWorker(of, this.store, this.deps));
  }

  private async giveUp(surplus: OwnedPartition[]): Promise<void> {
    for (const of of surplus) {
      const worker = this.workers.get(keyOf(of));
      // Between batches, and without waiting here: the heartbeat keeps the leases of the others.
      if (worker && !worker.close()) continue;
      await this.store.release([of]);
      this.workers.delete(keyOf(of));
    }
  }

  /** What was being given up is kept after all when a member has left meanwhile. */
  private reopen(kept: OwnedPartition[]): void {
    for (const of of kept) {
      if (!this.workers.get(keyOf(of))?.hasEnded) continue;
      const worker = new PartitionWorker(of, this.store, this.deps);
      this.workers.set(keyOf(of), worker);
      this.begin(worker);
    }
  }

  private begin(worker: PartitionWorker | undefined): void {
    // While it stops, heartbeats go on for the sake of what is in flight.
    if (worker && !this.stopped && !this.leftovers.has(placeOf(worker.of))) worker.start();
  }

  private leaveBehind(worker: PartitionWorker): void {
    const place = placeOf(worker.of);
    const ended = Promise.all([this.leftovers.get(place), worker.drain()]).then(() => {
      if (this.leftovers.get(place) !== ended) return;
      this.leftovers.delete(place);
      this.hear(place);
    });
    this.leftovers.set(place, ended);
  }

  private reportOwned(): void {
    const { metrics, subscription } = this.deps;
    const owned = [...this.workers.values()].map(({ of }) => of.topic);
    for (const topic of subscription.topics)
      metrics?.owned.set({ group: subscription.group, topic }, owned.filter((one) => one === topic).length);
  }

  private async reportLag(): Promise<void> {
    const { metrics, subscription, lagEveryMs } = this.deps;
    if (!metrics) return;
    this.nextLagAt = performance.now() + lagEveryMs;
    for (const { topic, lag, seconds } of await this.store.lag(subscription.topics)) {
      metrics.lag.set({ group: subscription.group, topic }, lag);
      metrics.lagSeconds.set({ group: subscription.group, topic }, seconds);
    }
  }
}

const placeOf = ({ topic, partition }: OwnedPartition): string => `${topic}/${partition}`;
