import type { DomainEvent } from './domain-event';

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
   * of them come again, then one by one.
   */
  handler: (events: DomainEvent[]) => Promise<void>;
  /** Called after an event has been stored in `<topic>.dead`. */
  onDeadLetter?: (event: DomainEvent, error: Error) => Promise<void> | void;
  /** How often an event is tried before it goes to `<topic>.dead`; 8 by default. Faults that say "try later" do not count. */
  maxAttempts?: number;
  /** The most events of one handler call; 100 by default. */
  batchSize?: number;
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

/** Where a group's failed events go. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dead`;
}
