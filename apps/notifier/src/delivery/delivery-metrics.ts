import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { AttemptResult } from './domain/attempt';
import type { NextStep } from './domain/retry-plan';

/** What is seen of deliveries from outside; made once for a registry. */
export class DeliveryMetrics {
  private readonly attempts: Histogram<'outcome'>;
  private readonly attemptsOf = new Map<string, Histogram.Internal<'outcome'>>();
  private readonly deliveries: Counter<'outcome'>;
  private readonly claims: Counter<'outcome'>;
  private readonly claimed: Counter;

  constructor(registry: Registry, read: { oldestDueSeconds(): Promise<number>; inFlight(): number }) {
    const registers = [registry];
    this.attempts = new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Attempts by what came of them, from the look-up to the answer.',
      labelNames: ['outcome'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.deliveries = new Counter({
      name: 'webhook_deliveries_total',
      help: 'Results recorded: Delivered, DeadLettered, Retried, or Lost (its lease was taken or it was dropped).',
      labelNames: ['outcome'],
      registers,
    });
    this.claims = new Counter({
      name: 'webhook_claims_total',
      help: 'Looks for due deliveries.',
      labelNames: ['outcome'],
      registers,
    });
    this.claimed = new Counter({
      name: 'webhook_claimed_total',
      help: 'Deliveries claimed for an attempt.',
      registers,
    });
    new Gauge({
      name: 'webhook_attempts_in_flight',
      help: 'Attempts of this process under way.',
      registers,
      collect() {
        this.set(read.inFlight());
      },
    });
    new Gauge({
      name: 'webhook_oldest_due_seconds',
      help: 'How long the oldest due delivery of an active subscription has been due.',
      registers,
      async collect() {
        // Away with the database; the scrape still answers everything else.
        this.set(await read.oldestDueSeconds().catch(() => Number.NaN));
      },
    });
  }

  sawClaim(count: number): void {
    this.claims.inc({ outcome: 'ok' });
    this.claimed.inc(count);
  }

  sawFailedClaim(): void {
    this.claims.inc({ outcome: 'failed' });
  }

  sawAttempt({ durationMs, errorSummary }: AttemptResult): void {
    const outcome = errorSummary ?? 'Delivered';
    let attempts = this.attemptsOf.get(outcome);
    if (!attempts) this.attemptsOf.set(outcome, (attempts = this.attempts.labels({ outcome })));
    attempts.observe(durationMs / 1_000);
  }

  /** Counts a batch; which of its results were lost is not told, so they are taken off the retried ones last. */
  sawResults(steps: readonly NextStep[], recorded: number): void {
    const outcomes = steps.map(({ status }) => status ?? 'Retried');
    for (const outcome of new Set(outcomes))
      this.deliveries.inc({ outcome }, outcomes.filter((other) => other === outcome).length);
    if (recorded < steps.length) this.deliveries.inc({ outcome: 'Lost' }, steps.length - recorded);
  }
}
