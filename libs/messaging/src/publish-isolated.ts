import type { DomainEvent } from './domain-event';
import { EventRefusedError } from './event-refused-error';

/** What was published, what the bus refused and why, and what waits behind that in its aggregate. */
export interface Isolated {
  published: DomainEvent[];
  refused: { event: DomainEvent; reason: string }[];
  behind: DomainEvent[];
}

/** How it is done: `publish` as the bus has it, `pulse` before each further try; after `budgetMs` the rest is left out. */
interface IsolatingDeps {
  publish: (events: DomainEvent[]) => Promise<void>;
  pulse: () => Promise<unknown>;
  budgetMs: number;
}

/** More refused ones in a row, and nothing taken, are no fault of theirs. */
const MOST_REFUSED_IN_A_ROW = 10;

/**
 * Publishes events in order. When the bus refuses some for good, halves are tried until those are alone: all others are
 * published, but for the later ones of the same aggregates. Rejects when the bus fails otherwise, or takes nothing at all.
 */
export async function publishIsolated(events: DomainEvent[], deps: IsolatingDeps): Promise<Isolated> {
  const done: Isolated = { published: [], refused: [], behind: [] };
  const until = performance.now() + deps.budgetMs;
  const portions = [events];
  for (let portion = portions.pop(); portion; portion = portions.pop()) {
    const stopped = new Set(done.refused.map(({ event }) => event.aggregateId));
    const some = portion.filter(({ aggregateId }) => !stopped.has(aggregateId));
    if (stopped.size > 0) done.behind.push(...portion.filter(({ aggregateId }) => stopped.has(aggregateId)));
    if (some.length === 0) continue;
    const isRetry = portion !== events;
    if (isRetry && performance.now() > until) break;
    try {
      if (isRetry) await deps.pulse();
      await deps.publish(some);
      done.published.push(...some);
    } catch (error) {
      if (!(error instanceof EventRefusedError)) throw error;
      const half = Math.ceil(some.length / 2);
      const [only, ...others] = some;
      if (only && others.length === 0) done.refused.push({ event: only, reason: error.message });
      else portions.push(some.slice(half), some.slice(0, half));
      if (done.published.length === 0 && done.refused.length > MOST_REFUSED_IN_A_ROW) throw error;
    }
  }
  return done;
}
