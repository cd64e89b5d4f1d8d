import { setTimeout as pause } from 'node:timers/promises';
import type { KafkaMessage } from 'kafkajs';
import type { KafkaPartition } from './kafka-partition';
import type { PartitionWorker } from '../partition-worker';

/** A partition and who works on it. */
export interface Owned {
  topic: string;
  partition: number;
  store: KafkaPartition;
  worker: PartitionWorker;
}

/** Handlers of earlier assignments that still run, by partition: the next owner in this process waits for them. */
export type Leftovers = Map<string, Promise<void>>;

/** Names a partition. */
export function keyOf({ topic, partition }: { topic: string; partition: number }): string {
  return `${topic}/${partition}`;
}

/** What a member owns from one join of its group to the next. */
export class Assignment {
  private readonly owned = new Map<string, Owned>();
  private isOver = false;

  constructor(private readonly leftovers: Leftovers) {}

  /** Begins work on a partition; what an earlier assignment left running there ends first. */
  add(of: Owned): void {
    this.owned.set(keyOf(of), of);
    void this.leftovers.get(keyOf(of))?.then(() => this.revive());
    this.revive();
  }

  take(place: { topic: string; partition: number }, messages: KafkaMessage[]): void {
    if (!this.isOver) this.owned.get(keyOf(place))?.store.take(messages);
  }

  /** Goes on with partitions whose worker has not begun or ended at a fault. */
  revive(): void {
    if (this.isOver) return;
    for (const [key, { worker }] of this.owned) if (!this.leftovers.has(key)) worker.start();
  }

  /** When the oldest event that waits in each topic was stored, in milliseconds since 1970. */
  oldestByTopic(): Map<string, number> {
    const oldest = new Map<string, number>();
    for (const { topic, store } of this.owned.values()) {
      const at = store.oldestAt;
      if (at !== undefined) oldest.set(topic, Math.min(at, oldest.get(topic) ?? at));
    }
    return oldest;
  }

  /** Begins nothing new, and lets what is in flight end and commit, for so long; after that it cannot commit. */
  async end(waitMs: number): Promise<void> {
    this.isOver = true;
    const all = [...this.owned.values()];
    for (const { store } of all) store.close();
    const ends = all.map(async (of) => {
      // What an earlier assignment left running there runs on, whether or not this one has begun.
      const ended = Promise.all([this.leftovers.get(keyOf(of)), of.worker.drain()]);
      const over = ended.then(() => {
        if (this.leftovers.get(keyOf(of)) === over) this.leftovers.delete(keyOf(of));
      });
      this.leftovers.set(keyOf(of), over);
      await over;
      // Not written, they come again.
      await of.store.flush().catch(() => undefined);
    });
    const giveUp = new AbortController();
    const late = Number.isFinite(waitMs)
      ? pause(waitMs, undefined, { signal: giveUp.signal }).catch(() => undefined)
      : new Promise<void>(() => undefined);
    await Promise.race([Promise.all(ends), late]);
    giveUp.abort();
    for (const { store } of all) store.fence();
  }
}
