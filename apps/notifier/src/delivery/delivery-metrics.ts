import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ClaimedDelivery } from './delivery-queue.repository';
import type { AttemptResult } from './domain/attempt';
import type { NextStep } from './domain/retry-plan';

/** A delivery of an older event was sent again, or waited for its subscription's resume. */
const LONGEST_DELAY_MS = 15 * 60_000;

/** What is seen of deliveries from outside; made once for a registry. */
export class DeliveryMetrics {
  private readonly attempts: Histogram<'outcome'>;
  private readonly attemptsOf = new Map<string, Histogram.Internal<'outcome'>>();
  private readonly deliveries: Counter<'outcome'>;
  private readonly claims: Counter<'outcome'>;
  private readonly claimed: Counter;
  private readonly firstAttempts: Histogram;

  constructor(registry: Registry, read: { inFlight(): number }) {
    const registers = [registry];
    this.attempts = new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Attempts by what came of them, from the look-up to the response. Sum over instances.',
      labelNames: ['outcome'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.deliveries = new Counter({
      name: 'webhook_deliveries_total',
      help: 'Results recorded: Delivered, DeadLettered, Retried, or Lost (its lease was taken or it was dropped). Sum over instances.',
      labelNames: ['outcome'],
      registers,
    });
    this.claims = new Counter({
      name: 'webhook_claims_total',
      help: 'Looks for due deliveries. Sum over instances.',
      labelNames: ['outcome'],
      registers,
    });
    this.claimed = new Counter({
      name: 'webhook_claimed_total',
      help: 'Deliveries claimed for an attempt. Sum over instances.',
      registers,
    });
    new Gauge({
      name: 'webhook_attempts_in_flight',
      help: 'Attempts of this process under way. Sum over instances.',
      registers,
      collect() {
        this.set(read.inFlight());
      },
    });
    for (const outcome of ['Delivered', 'DeadLettered', 'Retried', 'Lost'])
      this.deliveries.inc({ outcome }, 0);
    this.claims.inc({ outcome: 'failed' }, 0);
    this.firstAttempts = new Histogram({
      name: 'webhook_first_attempt_delay_seconds',
      help: 'Seconds from the commit of a change to the first attempt to deliver it. Over 15 minutes is not counted: sent again, or the subscription was paused. Sum over instances.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900],
      registers,
    });
  }

  countClaim(claimed: readonly Pick<ClaimedDelivery, 'attemptNumber' | 'eventId'>[]): void {
    this.claims.inc({ outcome: 'ok' });
    this.claimed.inc(claimed.length);
    const now = Date.now();
    for (const { attemptNumber, eventId } of claimed) {
      if (attemptNumber > 1) continue;
      const delayMs = now - madeAt(eventId);
      if (delayMs <= LONGEST_DELAY_MS) this.firstAttempts.observe(Math.max(0, delayMs) / 1_000);
    }
  }

  countFailedClaim(): void {
    this.claims.inc({ outcome: 'failed' });
  }

  observeAttempt({ durationMs, errorSummary }: AttemptResult): void {
    const outcome = errorSummary ?? 'Delivered';
    let attempts = this.attemptsOf.get(outcome);
    if (!attempts) this.attemptsOf.set(outcome, (attempts = this.attempts.labels({ outcome })));
    attempts.observe(durationMs / 1_000);
  }

  /** Counts a batch; which of its results were lost is not known, so they are taken off the retried ones last. */
  countResults(steps: readonly NextStep[], recorded: number): void {
    const outcomes = steps.map(({ status }) => status ?? 'Retried');
    for (const outcome of new Set(outcomes))
      this.deliveries.inc({ outcome }, outcomes.filter((other) => other === outcome).length);
    if (recorded < steps.length) this.deliveries.inc({ outcome: 'Lost' }, steps.length - recorded);
  }
}

/** The moment in an event's id (UUIDv7): the outbox gives it out in the change's own transaction. */
function madeAt(eventId: string): number {
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
}
