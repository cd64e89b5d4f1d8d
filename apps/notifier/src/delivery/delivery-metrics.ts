import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { EnvironmentName } from '@reseller/rpc';
import type { ClaimedDelivery, RecordedAttempt } from './delivery-queue.repository';
import type { AttemptResult } from './domain/attempt';

/** A delivery of an older event was sent again, or waited for its subscription's resume. */
const LONGEST_DELAY_MS = 15 * 60_000;

/** What is seen of deliveries from outside; made once for a registry. */
export class DeliveryMetrics {
  private readonly attempts: Histogram<'environment' | 'outcome'>;
  private readonly attemptsOf = new Map<string, Histogram.Internal<'environment' | 'outcome'>>();
  private readonly deliveries: Counter<'environment' | 'outcome'>;
  private readonly claims: Counter<'outcome'>;
  private readonly claimed: Counter;
  private readonly firstAttempts: Histogram<'slots'>;

  constructor(registry: Registry, read: { inFlight(): number }) {
    const registers = [registry];
    this.attempts = new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Attempts by environment and by what came of them, from the look-up to the response; test-fires are left out. Sum over instances.',
      labelNames: ['environment', 'outcome'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.deliveries = new Counter({
      name: 'webhook_deliveries_total',
      help: 'Results recorded, by environment: Delivered, DeadLettered, Retried; or Lost (its lease was taken or it was dropped), of either. Sum over instances.',
      labelNames: ['environment', 'outcome'],
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
    for (const environment of ['live', 'sandbox'])
      for (const outcome of ['Delivered', 'DeadLettered', 'Retried'])
        this.deliveries.inc({ environment, outcome }, 0);
    this.deliveries.inc({ outcome: 'Lost' }, 0);
    this.claims.inc({ outcome: 'failed' }, 0);
    this.firstAttempts = new Histogram({
      name: 'webhook_first_attempt_delay_seconds',
      help: 'Seconds from the commit of a change to the first attempt to deliver it. Over 15 minutes is not counted: sent again, or the subscription was paused. slots: taken where attempts then filled all of its subscription’s, so that it may have waited for its receiver; free otherwise. Sum over instances.',
      labelNames: ['slots'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900],
      registers,
    });
  }

  countClaim(claimed: readonly Pick<ClaimedDelivery, 'attemptNumber' | 'eventId' | 'isAtLimit'>[]): void {
    this.claims.inc({ outcome: 'ok' });
    this.claimed.inc(claimed.length);
    const now = Date.now();
    for (const { attemptNumber, eventId, isAtLimit } of claimed) {
      if (attemptNumber > 1) continue;
      const delayMs = now - madeAt(eventId);
      const slots = isAtLimit ? 'taken' : 'free';
      if (delayMs <= LONGEST_DELAY_MS) this.firstAttempts.observe({ slots }, Math.max(0, delayMs) / 1_000);
    }
  }

  countFailedClaim(): void {
    this.claims.inc({ outcome: 'failed' });
  }

  observeAttempt(environment: EnvironmentName, { durationMs, errorSummary }: AttemptResult): void {
    const outcome = errorSummary ?? 'Delivered';
    const key = `${environment} ${outcome}`;
    let attempts = this.attemptsOf.get(key);
    if (!attempts) this.attemptsOf.set(key, (attempts = this.attempts.labels({ environment, outcome })));
    attempts.observe(durationMs / 1_000);
  }

  /** Counts a batch; which of its results were lost is not known, so they are counted as lost beside what they would have been. */
  countResults(attempts: readonly Pick<RecordedAttempt, 'claimed' | 'next'>[], recorded: number): void {
    for (const environment of ['live', 'sandbox'] as const) {
      const outcomes = attempts
        .filter(({ claimed }) => claimed.environment === environment)
        .map(({ next }) => next.status ?? 'Retried');
      for (const outcome of new Set(outcomes))
        this.deliveries.inc({ environment, outcome }, outcomes.filter((other) => other === outcome).length);
    }
    if (recorded < attempts.length) this.deliveries.inc({ outcome: 'Lost' }, attempts.length - recorded);
  }
}

/** The moment in an event's id (UUIDv7): the outbox gives it out in the change's own transaction. */
function madeAt(eventId: string): number {
  return Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
}
