import type { Logger } from '@reseller/service-kit';
import { continueFrom } from '@reseller/telemetry';
import { rememberSecrets, type OpenSecret } from '../subscription/remember-secrets';
import type { DeliveryMetrics } from './delivery-metrics';
import type { ClaimedDelivery } from './delivery-queue.repository';
import type { AttemptResult } from './domain/attempt';
import { planAfter, type RetryPolicy } from './domain/retry-plan';
import type { ResultBuffer } from './result-buffer';
import type { WebhookSender } from './webhook-sender';

/** What attempts are made with. */
interface AttemptsDeps {
  sender: WebhookSender;
  openSecret: OpenSecret;
  results: ResultBuffer;
  settings: { retry: RetryPolicy; leaseMs: number };
  log: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
  metrics?: DeliveryMetrics | undefined;
}

/** The attempts of a worker that are under way; each ends with a result, or its lease lapses by itself. */
export class DeliveryAttempts {
  /** Until when, as `performance.now()`, nothing is to be claimed, for this process has nothing left to make connections of. */
  scarceUntil = 0;
  private readonly underWay = new Set<ClaimedDelivery>();
  private readonly openSecret: OpenSecret;
  private onIdle: (() => void) | undefined;

  constructor(private readonly deps: AttemptsDeps) {
    this.openSecret = rememberSecrets(deps.openSecret);
  }

  get count(): number {
    return this.underWay.size;
  }

  /** What was begun and has not ended. */
  get open(): readonly ClaimedDelivery[] {
    return [...this.underWay];
  }

  /** Begins one, however late in the trace of its event, and under the id of the request that led to that. */
  begin(claimed: ClaimedDelivery): void {
    const { eventId, deliveryId, subscriptionId, headers } = claimed;
    const fields = { eventId, deliveryId, subscriptionId };
    void continueFrom(headers, () => this.attempt(claimed), fields);
  }

  /** Resolves when none is under way. */
  untilIdle(): Promise<void> {
    return this.count === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.onIdle = resolve;
        });
  }

  private async attempt(claimed: ClaimedDelivery): Promise<void> {
    const { results } = this.deps;
    this.underWay.add(claimed);
    try {
      await this.send(claimed);
    } finally {
      this.underWay.delete(claimed);
      // Few others are coming to fill the batch, and slots are waiting for it.
      if (results.size >= this.count) results.flush();
      if (this.count === 0) this.onIdle?.();
    }
  }

  private async send(claimed: ClaimedDelivery): Promise<void> {
    const { sender, results, settings, metrics } = this.deps;
    const { url, eventId, eventType, body, attemptNumber } = claimed;
    if (body === null) return this.endWithoutBody(claimed);
    const secret = this.secretOf(claimed);
    // Its lease lapses by itself: without a secret nothing can be signed, and that is no fault of the receiver.
    if (secret === undefined) return;
    const result = await sender.send({ url, secret, eventId, eventType, body, attemptNumber, isTest: false });
    if (result.isOwnFault) return this.pauseForWant(claimed);
    this.logResult(claimed, result);
    metrics?.observeAttempt(claimed.environment, result);
    const next = planAfter(attemptNumber, result, settings.retry);
    results.add({ claimed, result, next, endedAt: performance.now() });
  }

  /**
   * Its lease lapses by itself, uncounted: nothing reached the receiver. No other is claimed until then, which this process would fail as
   * fast as it can, and so take from those that could send it.
   */
  private pauseForWant({ subscriptionId }: ClaimedDelivery): void {
    const { log, settings } = this.deps;
    const now = performance.now();
    if (this.scarceUntil <= now)
      log.error({ subscriptionId }, 'no file descriptor or memory is left to deliver webhooks');
    this.scarceUntil = now + settings.leaseMs;
  }

  /** There will never be anything to send, so it is tried no more. */
  private endWithoutBody(claimed: ClaimedDelivery): void {
    this.deps.log.warn({}, 'the event of a webhook delivery is gone; it is dead-lettered');
    const result: AttemptResult = { responseStatus: null, durationMs: 0, errorSummary: 'Delivery failed' };
    this.deps.results.add({
      claimed,
      result,
      next: { status: 'DeadLettered' },
      endedAt: performance.now(),
    });
  }

  // Thousands a second succeed: only the debug log holds them.
  private logResult({ eventType, attemptNumber }: ClaimedDelivery, result: AttemptResult): void {
    const { log } = this.deps;
    const fields = { eventType, attemptNumber, ...result };
    if (result.errorSummary === null) log.debug(fields, 'a webhook was delivered');
    else log.info(fields, 'a webhook attempt failed');
  }

  private secretOf({ subscriptionId, secretCiphertext, secretKeyId }: ClaimedDelivery): string | undefined {
    try {
      return this.openSecret(subscriptionId, { ciphertext: secretCiphertext, keyId: secretKeyId });
    } catch (err) {
      this.deps.log.error(
        { err, subscriptionId, secretKeyId },
        'the secret of a subscription cannot be opened',
      );
      return undefined;
    }
  }
}
