import { createEventBus, type DomainEvent, type EventBus } from '@reseller/messaging';
import { silentLog } from '@reseller/service-kit';
import { countDeadLetters } from '../platform/dead-letters';
import { rowsOf } from '../platform/rows-of';
import type { KafkaCluster } from './kafka-cluster';
import { storedMessages } from './offsets';

const TOPICS = [
  'reseller.identity.partner.v1',
  'reseller.orders.order.v1',
  'reseller.scent.registration.v1',
  'reseller.finance.wallet.v1',
  'reseller.finance.rate.v1',
];
const WRITERS = ['identity', 'orders-saga', 'scent-commerce', 'finance'];
const MEMBERS = 2;

interface Seen {
  readonly event: DomainEvent;
  readonly at: number;
}

/** What came of the events, once all are handled. */
interface WatchedEvents {
  readonly published: number;
  /** Stored more than once, since a publish got no response and was repeated. */
  readonly storedAgain: number;
  /** Handed to the watching group more than once. */
  readonly deliveredAgain: number;
  /** From an event to its first delivery, the longest. */
  readonly slowestMs: number;
  readonly faults: readonly string[];
}

/** A group of two members of its own on all topics, which holds what comes against what the outboxes say has happened. */
export class EventWatch {
  private readonly first = new Map<string, Seen>();
  private deliveries = 0;
  private lastAt = 0;
  private longestGapMs = 0;
  private readonly buses: EventBus[];

  private constructor(
    private readonly cluster: KafkaCluster,
    buses: EventBus[],
  ) {
    this.buses = buses;
    for (const bus of buses)
      bus.subscribe({
        group: 'kafka-drill.watch',
        topics: TOPICS,
        handler: (events) => Promise.resolve(this.take(events)),
      });
  }

  static async start(cluster: KafkaCluster): Promise<EventWatch> {
    const open = (): Promise<EventBus> =>
      createEventBus({
        url: cluster.url,
        clientId: 'kafka-drill',
        log: silentLog,
        kafka: { partitions: 6, replicationFactor: 3 },
      });
    return new EventWatch(cluster, await Promise.all(Array.from({ length: MEMBERS }, open)));
  }

  /** How many events have come. */
  get count(): number {
    return this.first.size;
  }

  /** Gaps count from now on. */
  begin(): void {
    this.lastAt = Date.now();
    this.longestGapMs = 0;
  }

  /** The longest rest between two deliveries since `begin`, in milliseconds. */
  gap(): number {
    return Math.max(this.longestGapMs, Date.now() - this.lastAt);
  }

  private take(events: readonly DomainEvent[]): void {
    const at = Date.now();
    this.longestGapMs = Math.max(this.longestGapMs, at - this.lastAt);
    this.lastAt = at;
    this.deliveries += events.length;
    for (const event of events)
      if (!this.first.has(event.eventId)) this.first.set(event.eventId, { event, at });
  }

  async compare(): Promise<WatchedEvents> {
    await this.cluster.untilHandled();
    const published = (
      await Promise.all(
        WRITERS.map((writer) => rowsOf<{ id: string }>(writer, 'SELECT event_id AS id FROM outbox')),
      )
    ).flat();
    const lost = published.filter(({ id }) => !this.first.has(id));
    const slowest = Math.max(
      ...[...this.first.values()].map(({ event, at }) => at - event.occurredAt.getTime()),
    );
    const stored = await this.cluster.asAdmin(storedMessages);
    return {
      published: published.length,
      storedAgain: stored - published.length,
      deliveredAgain: this.deliveries - this.first.size,
      slowestMs: slowest,
      faults: [
        ...lost.map(({ id }) => `the event ${id} reached nobody`),
        ...this.outOfOrder(),
        ...(await deadLetters()),
      ],
    };
  }

  /** Aggregates whose events came for the first time in another order than they happened. */
  private outOfOrder(): string[] {
    const last = new Map<string, number>();
    const faults: string[] = [];
    for (const { event } of this.first.values()) {
      const key = `${event.topic} ${event.aggregateId}`;
      const before = last.get(key) ?? 0;
      if (Number(event.aggregateSeq) !== before + 1)
        faults.push(`${key}: ${event.aggregateSeq} came after ${before}`);
      last.set(key, Number(event.aggregateSeq));
    }
    return faults;
  }

  async stop(): Promise<void> {
    await Promise.all(this.buses.map((bus) => bus.close()));
  }
}

async function deadLetters(): Promise<string[]> {
  const counts = await countDeadLetters();
  return counts.filter(({ n }) => n > 0).map(({ consumer, n }) => `${consumer} has ${n} dead letters`);
}
