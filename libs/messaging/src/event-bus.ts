import type { DomainEvent } from './domain-event';
import type { DeadLetterStore } from './dead-letters/dead-letter';

/** Something that runs since it was made; `stop` resolves when what was in flight has ended. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** What a group does with the events of its topics. */
export interface Subscription {
  /** Consumers of one group share the partitions; each group gets every event. */
  group: string;
  topics: string[];
  /**
   * Events of one partition, at least once and for the first time in the order of their aggregate; when it rejects, all
   * of them come again, then one by one. An InvalidEventError makes one event a dead letter; any other error pauses the
   * partition, which goes on by itself once the handler resolves.
   */
  handler: (events: DomainEvent[]) => Promise<void>;
  /**
   * Keeps the events that are invalid or end the process; later events of their aggregates go on. Without it such an
   * event holds its partition up.
   */
  deadLetters?: Pick<DeadLetterStore, 'record'>;
  /** How many processes an event may end before it is dead-lettered; 8 by default. */
  maxProcessEnds?: number;
  /** The most events of one handler call; 100 by default. */
  batchSize?: number;
  /** Rests of a paused partition: from the first, doubling, to the longest; 100 ms and 60 s by default. */
  backoff?: Backoff;
}

/** Rests that double, in milliseconds. */
export interface Backoff {
  firstMs: number;
  mostMs: number;
}

/** The one way events travel between services. */
export interface EventBus {
  /**
   * Resolves when all of them are durable. When it rejects, some may be: repeat all, in the same order. An event that is
   * published again may reach the groups again, after its first time; consumers recognise it by its id (`handleOnce`).
   */
  publish(events: DomainEvent[]): Promise<void>;
  /** Starts at once, a new group at the oldest event kept, and goes on through faults of the bus until it is stopped. */
  subscribe(subscription: Subscription): Stoppable;
  /** Stops what was subscribed and closes the bus's connections. */
  close(): Promise<void>;
}
