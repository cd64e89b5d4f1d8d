import type { DomainEvent } from './domain-event';

/** A partition that a member owns; every write names the epoch, so that an owner that lost it changes nothing. */
export interface OwnedPartition {
  topic: string;
  partition: number;
  epoch: string;
}

/** An event and where it stands in its partition. */
export interface StoredEvent extends DomainEvent {
  offset: string;
}

/** What one claim of a partition gave; attempts counts this one. */
export interface Claim {
  attempts: number;
  /** Whether the events come one by one since an earlier attempt at them failed. */
  careful: boolean;
  events: StoredEvent[];
  /** The offset after the last one stored, for a partition whose events were pruned. */
  nextOffset: string;
}

/** Where a member's progress through its partitions is kept, fenced: what has another owner now is not written. */
export interface PartitionStore {
  /** Counts an attempt, durably, and reads what it is about; undefined when there is nothing or the partition is lost. */
  claim(of: OwnedPartition, batchSize: number): Promise<Claim | undefined>;
  /** Moves the group on to an offset; false when the partition is lost. */
  commit(of: OwnedPartition, offset: string, wasWholeBatch: boolean): Promise<boolean>;
  /** Sets how many attempts at the next events count, the present one included; false when the partition is lost. */
  setAttempts(of: OwnedPartition, attempts: number): Promise<boolean>;
}
