import type { Logger, Stoppable } from '@reseller/service-kit';
import type { SealedSecret } from '../subscription/secret-seal';
import type { DeliveryMetrics } from './delivery-metrics';
import type { ClaimedDelivery, DeliveryQueueRepository } from './delivery-queue.repository';
import { planAfter, type NextStep, type RetryPolicy } from './domain/retry-plan';
import { ResultBuffer } from './result-buffer';
import type { WebhookSender } from './webhook-sender';

/** Opens the sealed secret of a subscription; throws when it cannot. */
export type OpenSecret = (subscriptionId: string, sealed: SealedSecret) => string;

/** How a worker works; times in milliseconds. */
export interface WorkerSettings {
  retry: RetryPolicy;
  /** Attempts under way of one subscription, over all instances. */
  perSubscription: number;
  /** Attempts under way of this process. */
  maxInFlight: number;
  claimBatch: number;
  /** Longer than an attempt takes; after a crash its attempts are repeated when it lapses. */
  leaseMs: number;
  /** How long it rests when nothing is due and nobody wakes it. */
  pollMs: number;
  /** How long attempts under way may take to end when the worker stops. */
  drainMs: number;
}

/** What a worker is made of. */
export interface WorkerParts {
  queue: DeliveryQueueRepository;
  sender: WebhookSender;
  openSecret: OpenSecret;
  settings: WorkerSettings;
  log: Pick<Logger, 'error' | 'warn'>;
  metrics?: DeliveryMetrics | undefined;
}

const LONGEST_REST_MS = 2_000;
/** Retries that come this soon are waited for to the millisecond; for others the poll is exact enough. */
const SOON_MS = 5_000;

/**
 * Claims due deliveries, attempts them and records the results, for as long as the process lives: whatever fails is
 * logged and tried again after at most 2 s.
 */
export class DeliveryWorker implements Stoppable {
  private readonly underWay = new Set<ClaimedDelivery>();
  private readonly results: ResultBuffer;
  private isStopping = false;
  private loop: Promise<void> | undefined;
  private isWoken = false;
  private endRest: (() => void) | undefined;
  private onIdle: (() => void) | undefined;

  constructor(private readonly parts: WorkerParts) {
    this.results = new ResultBuffer({
      log: parts.log,
      write: async (attempts) => {
        const recorded = await parts.queue.recordResults(attempts);
        const steps = attempts.map(({ next }) => next);
        this.parts.metrics?.sawResults(steps, recorded);
        // Their slots are free now.
        this.wake();
        this.wakeFor(steps);
      },
    });
  }

  get inFlight(): number {
    return this.underWay.size;
  }

  start(): void {
    this.loop ??= this.run();
  }

  /** Says that something may be due: it is looked for at once. */
  wake(): void {
    this.isWoken = true;
    this.endRest?.();
  }

  /** Claims no more, waits for the attempts under way, and gives back those that take longer than `drainMs`. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.endRest?.();
    await this.loop;
    const { queue, log, settings } = this.parts;
    await Promise.race([this.untilIdle(), timeUp(settings.drainMs)]);
    const left = [...this.underWay];
    if (left.length > 0)
      await queue.release(left).catch((err: unknown) => log.warn({ err }, 'leases are left to lapse'));
    const giveUp = setTimeout(() => this.results.giveUp(), settings.drainMs);
    await this.results.drain();
    clearTimeout(giveUp);
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.isStopping) {
      this.isWoken = false;
      let restMs = this.parts.settings.pollMs;
      try {
        if (await this.claimOnce()) restMs = 0;
        failures = 0;
      } catch (err) {
        restMs = Math.min(100 * 2 ** failures, LONGEST_REST_MS);
        failures += 1;
        this.parts.log.error({ err, failures }, 'due webhook deliveries cannot be claimed');
        this.parts.metrics?.sawFailedClaim();
        this.isWoken = false;
      }
      if (restMs > 0) await this.rest(restMs);
    }
  }

  /** Claims as many as there is room for and starts their attempts; answers whether there may be more due. */
  private async claimOnce(): Promise<boolean> {
    const { queue, settings, metrics } = this.parts;
    const limit = Math.min(settings.maxInFlight - this.underWay.size, settings.claimBatch);
    if (limit <= 0) return false;
    const { perSubscription, leaseMs } = settings;
    const claimed = await queue.claim({ limit, perSubscription, leaseMs });
    metrics?.sawClaim(claimed.length);
    for (const one of claimed) void this.attempt(one);
    return claimed.length === limit;
  }

  private async attempt(claimed: ClaimedDelivery): Promise<void> {
    this.underWay.add(claimed);
    const { sender, settings, metrics } = this.parts;
    try {
      const secret = this.secretOf(claimed);
      // Its lease lapses by itself: without a secret nothing can be signed, and that is no fault of the receiver.
      if (secret === undefined) return;
      const { url, eventId, eventType, body } = claimed;
      const result = await sender.send({ url, secret, eventId, eventType, body, isTest: false });
      metrics?.sawAttempt(result);
      const next = planAfter(claimed.attemptNumber, result, settings.retry);
      this.results.add({ claimed, result, next, endedAt: performance.now() });
    } finally {
      this.underWay.delete(claimed);
      // Nobody else is coming to fill the batch.
      if (this.underWay.size === 0) {
        this.results.flush();
        this.onIdle?.();
      }
    }
  }

  private wakeFor(steps: readonly NextStep[]): void {
    const gaps = steps.flatMap((step) => (step.status === null && step.gapMs <= SOON_MS ? [step.gapMs] : []));
    for (const gap of new Set(gaps)) setTimeout(() => this.wake(), gap).unref();
  }

  private secretOf({ subscriptionId, secretCiphertext, secretKeyId }: ClaimedDelivery): string | undefined {
    try {
      return this.parts.openSecret(subscriptionId, { ciphertext: secretCiphertext, keyId: secretKeyId });
    } catch (err) {
      this.parts.log.error(
        { err, subscriptionId, secretKeyId },
        'the secret of a subscription cannot be opened',
      );
      return undefined;
    }
  }

  private untilIdle(): Promise<void> {
    return this.underWay.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.onIdle = resolve;
        });
  }

  private rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.isWoken || this.isStopping) return resolve();
      const timer = setTimeout(() => this.endRest?.(), ms);
      this.endRest = () => {
        clearTimeout(timer);
        this.endRest = undefined;
        resolve();
      };
    });
  }
}

function timeUp(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
