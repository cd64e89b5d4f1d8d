import type { DomainEvent } from './domain-event';

/** An event of the outbox, and where the one before it in its aggregate is: published or gone (null), waiting, or parked. */
export interface WaitingEvent extends DomainEvent {
  before: 'waiting' | 'parked' | null;
}

/** What becomes of a slice: what may be published now, in order, and what has to wait behind a parked event. */
interface Ordered {
  ready: DomainEvent[];
  behindParked: DomainEvent[];
}

/**
 * Puts a slice in order: by time, and in each aggregate by its sequence, whatever the clock said. An event goes only when all before
 * it in its aggregate have gone or go with it; any other is left for a later slice.
 */
export function inOrder(slice: readonly WaitingEvent[]): Ordered {
  const byAggregate = new Map<string, WaitingEvent[]>();
  for (const event of slice) {
    const of = byAggregate.get(event.aggregateId);
    if (of) of.push(event);
    else byAggregate.set(event.aggregateId, [event]);
  }
  const ready: DomainEvent[] = [];
  const behindParked: DomainEvent[] = [];
  for (const events of byAggregate.values()) {
    if (events.length > 1) events.sort((a, b) => Number(BigInt(a.aggregateSeq) - BigInt(b.aggregateSeq)));
    const first = events[0]?.before;
    if (first === 'waiting') continue;
    const into = first === 'parked' ? behindParked : ready;
    let last: bigint | undefined;
    for (const { before: _, ...event } of events) {
      const seq = BigInt(event.aggregateSeq);
      if (last !== undefined && seq !== last + 1n) break;
      last = seq;
      into.push(event);
    }
  }
  return { ready, behindParked };
}
