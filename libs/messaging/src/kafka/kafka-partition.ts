import type { KafkaMessage } from 'kafkajs';
import type { Claim, OwnedPartition, PartitionStore, StoredEvent } from '../partition-store';
import { toEvent, toMetadata, type Progress } from './message';

/** What a partition needs of the consumer that owns it. */
interface PartitionLink {
  /** Commits an offset under the generation that owns the partition; false when that is over. */
  write(offset: string, metadata: string): Promise<boolean>;
  /** Has the events from the offset on fetched again. */
  seek(offset: string): void;
  pause(): void;
  resume(): void;
}

interface Waiting {
  event: StoredEvent;
  appendedAt: number;
}

/**
 * One owned partition, from its assignment to the next rebalance: events that were fetched wait here for the worker,
 * and how far it is goes to the group's committed offsets, an attempt always before its effect.
 */
export class KafkaPartition implements PartitionStore {
  private waiting: Waiting[] = [];
  private nextFetched: bigint;
  private gapAt: string | undefined;
  private isPaused = false;
  private isClosed = false;
  private isFenced = false;
  /** Handled, and to be written together with the next attempt. */
  private unwritten: string | undefined;
  private wakeUp: (() => void) | undefined;

  constructor(
    private readonly place: { topic: string; partition: number },
    start: bigint,
    private progress: Progress,
    private readonly link: PartitionLink,
    /** How many events may wait; from then on no more are fetched. */
    private readonly room: number,
  ) {
    this.nextFetched = start;
  }

  /** Takes in what was fetched. */
  take(messages: KafkaMessage[]): void {
    const fresh = messages.filter(({ offset }) => BigInt(offset) >= this.nextFetched);
    const [first, last] = [fresh[0], fresh.at(-1)];
    if (!first || !last) return;
    // Fetched for an earlier assignment, it may lie beyond events that were not handled. A gap that is there when they
    // are fetched again is the broker's: retention, or the marks of a transaction.
    if (BigInt(first.offset) > this.nextFetched && this.gapAt !== first.offset) {
      this.gapAt = first.offset;
      this.link.seek(String(this.nextFetched));
      return;
    }
    this.gapAt = undefined;
    this.nextFetched = BigInt(last.offset) + 1n;
    for (const message of fresh)
      this.waiting.push({ event: toEvent(this.place, message), appendedAt: Number(message.timestamp) });
    if (this.waiting.length >= this.room && !this.isPaused) {
      this.isPaused = true;
      this.link.pause();
    }
    this.wakeUp?.();
  }

  /** When the oldest event that waits was stored, in milliseconds since 1970. */
  get oldestAt(): number | undefined {
    return this.waiting[0]?.appendedAt;
  }

  /** Gives out nothing more; what is in flight may still commit. */
  close(): void {
    this.isClosed = true;
    this.wakeUp?.();
  }

  /** Commits nothing more. */
  fence(): void {
    this.isFenced = true;
    this.close();
  }

  /** Writes what is handled and not written yet. */
  async flush(): Promise<void> {
    if (this.unwritten !== undefined) await this.write(this.unwritten);
  }

  /** Waits until there is an event; undefined when the partition is closed. */
  async claim(_of: OwnedPartition, batchSize: number): Promise<Claim | undefined> {
    while (this.waiting.length === 0 && !this.isClosed)
      await new Promise<void>((resolve) => (this.wakeUp = resolve));
    const first = this.waiting[0]?.event;
    if (!first || this.isClosed) return undefined;
    const before = this.progress;
    const at = BigInt(first.offset);
    const careful = before.carefulUntil > at;
    this.progress = {
      attempts: before.attempts + 1,
      // Not moved on while events come one by one: those behind the failed batch come in batches again.
      carefulUntil: careful ? before.carefulUntil : at + BigInt(batchSize),
    };
    try {
      if (!(await this.write(first.offset))) return undefined;
    } catch (error) {
      this.progress = before;
      throw error;
    }
    const events = this.waiting.slice(0, careful ? 1 : batchSize).map(({ event }) => event);
    return { attempts: this.progress.attempts, careful, events, nextOffset: first.offset };
  }

  async commit(_of: OwnedPartition, offset: string, wasWholeBatch: boolean): Promise<boolean> {
    const at = BigInt(offset);
    this.waiting = this.waiting.filter(({ event }) => BigInt(event.offset) >= at);
    this.progress = { attempts: 0, carefulUntil: wasWholeBatch ? at : this.progress.carefulUntil };
    this.unwritten = offset;
    if (this.isPaused && this.waiting.length < this.room / 2 && !this.isClosed) {
      this.isPaused = false;
      this.link.resume();
    }
    if (this.isFenced) return false;
    // One request serves for both, the end of this batch and the attempt at the next.
    if (this.waiting.length > 0 && !this.isClosed) return true;
    return this.write(offset);
  }

  async setAttempts(_of: OwnedPartition, attempts: number): Promise<boolean> {
    const first = this.waiting[0]?.event;
    this.progress = { ...this.progress, attempts };
    return first !== undefined && this.write(first.offset);
  }

  private async write(offset: string): Promise<boolean> {
    if (this.isFenced) return false;
    const isWritten = await this.link.write(offset, toMetadata(this.progress));
    if (isWritten) this.unwritten = undefined;
    return isWritten;
  }
}
