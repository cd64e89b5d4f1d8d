import type { Logger, Stoppable } from '@reseller/service-kit';
import { continueFrom, withLogFields } from '@reseller/telemetry';
import type { DeliveryMetrics } from './delivery-metrics';
import type { ClaimedDelivery, DeliveryQueueRepository, RecordedAttempt } from './delivery-queue.repository';
import type { AttemptResult } from './domain/attempt';
import { planAfter, type RetryPolicy } from './domain/retry-plan';
import { LaneCursor, type Look } from './lane-cursor';
import { rememberSecrets, type OpenSecret } from '../subscription/remember-secrets';
import { ResultBuffer } from './result-buffer';
import type { WebhookSender } from './webhook-sender';

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
  /** How long it rests when nothing is due and nobody wakes it; up to sixteen times that while nothing is left to deliver. */
  pollMs: number;
  /** How long attempts under way may take to end when the worker stops. */
  drainMs: number;
  /** How long recording their results may take then, should the database be away. */
  recordMs: number;
}

/** What a worker is made of. */
interface WorkerDeps {
  queue: DeliveryQueueRepository;
  sender: WebhookSender;
  openSecret: OpenSecret;
  settings: WorkerSettings;
  log: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
  metrics?: DeliveryMetrics | undefined;
}

const LONGEST_REST_MS = 2_000;
/** Retries that come this soon are waited for to the millisecond; for others the poll is exact enough. */
const SOON_MS = 5_000;
const LONGEST_IDLE_POLLS = 16;

/**
 * Claims due deliveries, attempts them and records the results, for as long as the process lives: whatever fails is
 * logged and tried again after at most 2 s.
 */
export class DeliveryWorker implements Stoppable {
  private readonly underWay = new Set<ClaimedDelivery>();
  private readonly results: ResultBuffer;
  private isStopping = false;
  private loop: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;
  private isWoken = false;
  private isSweepDue = true;
  /** When all subscriptions were last looked at. */
  private sweptAt = 0;
  /** How many looks in a row found nothing left to deliver while nothing was under way. */
  private idleLooks = 0;
  /** Until when nothing is claimed, for this process has nothing left to make connections of. */
  private scarceUntil = 0;
  /** Subscriptions that had slots freed or retries come due since they were last claimed for. */
  private readonly freed = new Set<string>();
  private readonly cursor = new LaneCursor();
  private readonly openSecret: OpenSecret;
  private endRest: (() => void) | undefined;
  private onIdle: (() => void) | undefined;

  constructor(private readonly deps: WorkerDeps) {
    this.openSecret = rememberSecrets(deps.openSecret);
    this.results = new ResultBuffer({
      log: deps.log,
      write: async (attempts) => {
        const recorded = await deps.queue.recordResults(attempts);
        this.deps.metrics?.countResults(attempts, recorded);
        this.refill(attempts.map(({ claimed }) => claimed.subscriptionId));
        this.refillAtRetries(attempts);
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
    this.idleLooks = 0;
    this.isSweepDue = true;
    this.goOn();
  }

  /** Claims no more, waits for the attempts under way, and gives back those that take longer than `drainMs`; calling it twice stops once. */
  stop(): Promise<void> {
    return (this.stopped ??= this.drain());
  }

  private async drain(): Promise<void> {
    this.isStopping = true;
    this.endRest?.();
    await this.loop;
    const { queue, log, settings } = this.deps;
    await Promise.race([this.untilIdle(), timeUp(settings.drainMs)]);
    const left = [...this.underWay];
    if (left.length > 0)
      await queue.release(left).catch((err: unknown) => log.warn({ err }, 'leases are left to lapse'));
    const giveUp = setTimeout(() => this.results.giveUp(), settings.recordMs);
    await this.results.drain();
    clearTimeout(giveUp);
  }

  /** Has slots of these subscriptions filled again. */
  private refill(subscriptionIds: readonly string[]): void {
    for (const id of subscriptionIds) this.freed.add(id);
    this.goOn();
  }

  private goOn(): void {
    this.isWoken = true;
    this.endRest?.();
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.isStopping) {
      this.isWoken = false;
      let restMs = 0;
      try {
        restMs = this.scarceUntil - performance.now();
        if (restMs <= 0) restMs = (await this.claimOnce()) ? 0 : this.restMs();
        failures = 0;
      } catch (err) {
        this.isSweepDue = true;
        this.cursor.reset();
        restMs = Math.min(100 * 2 ** failures, LONGEST_REST_MS);
        failures += 1;
        this.deps.log.error({ err, failures }, 'due webhook deliveries cannot be claimed');
        this.deps.metrics?.countFailedClaim();
        this.isWoken = false;
      }
      if (restMs > 0) await this.rest(restMs);
    }
  }

  private restMs(): number {
    const pollMs = this.pollMs();
    return this.isSweepDue ? pollMs : Math.max(1, this.sweptAt + pollMs - performance.now());
  }

  private pollMs(): number {
    return this.deps.settings.pollMs * Math.min(2 ** this.idleLooks, LONGEST_IDLE_POLLS);
  }

  /** Claims as many as there is room for and starts their attempts; true when there may be more due. */
  private async claimOnce(): Promise<boolean> {
    const { queue, settings, metrics } = this.deps;
    const limit = Math.min(settings.maxInFlight - this.underWay.size, settings.claimBatch);
    if (limit <= 0) {
      // Others may be waiting for the next room as well.
      this.isSweepDue = true;
      return false;
    }
    const look = this.nextLook();
    if (look.lanes?.length === 0 && look.madeWithinMs === null) return false;
    const { perSubscription, leaseMs } = settings;
    const claimedAt = performance.now();
    const { claimed, seen } = await queue.claim({ limit, perSubscription, leaseMs, look });
    this.cursor.saw(look, seen);
    metrics?.countClaim(claimed);
    const isIdle = seen.lanes.length + claimed.length + this.underWay.size === 0;
    this.idleLooks = isIdle ? this.idleLooks + 1 : 0;
    // A process that stood still meanwhile has lost them: others attempt them, with the url and the secret of now.
    if (performance.now() - claimedAt > leaseMs) return true;
    for (const one of claimed) void this.attemptInTrace(one);
    const isFull = claimed.length === limit;
    if (isFull) this.isSweepDue = true;
    return isFull;
  }

  /**
   * At the subscriptions with freed slots, as long as the last look at all of them found no more than there was room for and
   * is not `pollMs` old; otherwise at all.
   */
  private nextLook(): Look {
    const freed = [...this.freed];
    this.freed.clear();
    const now = performance.now();
    if (!this.isSweepDue && now < this.sweptAt + this.pollMs()) return this.cursor.lookAt(freed);
    this.isSweepDue = false;
    this.sweptAt = now;
    return this.cursor.look();
  }

  // However late: in the trace of its event, and under the id of the request that began it.
  private attemptInTrace(claimed: ClaimedDelivery): Promise<void> {
    const { eventId, deliveryId, subscriptionId, headers } = claimed;
    return continueFrom(headers, () =>
      withLogFields({ eventId, deliveryId, subscriptionId }, () => this.attempt(claimed)),
    );
  }

  private async attempt(claimed: ClaimedDelivery): Promise<void> {
    this.underWay.add(claimed);
    const { sender, settings, metrics } = this.deps;
    try {
      if (claimed.body === null) return this.endWithoutBody(claimed);
      const secret = this.secretOf(claimed);
      // Its lease lapses by itself: without a secret nothing can be signed, and that is no fault of the receiver.
      if (secret === undefined) return;
      const { url, eventId, eventType, body, attemptNumber } = claimed;
      const request = { url, secret, eventId, eventType, body, attemptNumber, isTest: false };
      const result = await sender.send(request);
      if (result.isOwnFault) return this.pauseForWant(claimed);
      this.logResult(claimed, result);
      metrics?.observeAttempt(claimed.environment, result);
      const next = planAfter(claimed.attemptNumber, result, settings.retry);
      this.results.add({ claimed, result, next, endedAt: performance.now() });
    } finally {
      this.underWay.delete(claimed);
      // Few others are coming to fill the batch, and slots are waiting for it.
      if (this.results.size >= this.underWay.size) this.results.flush();
      if (this.underWay.size === 0) this.onIdle?.();
    }
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
    this.isSweepDue = true;
  }

  /** There will never be anything to send, so it is tried no more. */
  private endWithoutBody(claimed: ClaimedDelivery): void {
    this.deps.log.warn({}, 'the event of a webhook delivery is gone; it is dead-lettered');
    const result: AttemptResult = { responseStatus: null, durationMs: 0, errorSummary: 'Delivery failed' };
    this.results.add({ claimed, result, next: { status: 'DeadLettered' }, endedAt: performance.now() });
  }

  // Thousands a second succeed: only the debug log holds them.
  private logResult({ eventType, attemptNumber }: ClaimedDelivery, result: AttemptResult): void {
    const { log } = this.deps;
    const fields = { eventType, attemptNumber, ...result };
    if (result.errorSummary === null) log.debug(fields, 'a webhook was delivered');
    else log.info(fields, 'a webhook attempt failed');
  }

  private refillAtRetries(attempts: readonly RecordedAttempt[]): void {
    const soon = attempts.flatMap(({ claimed, next }) =>
      next.status === null && next.gapMs <= SOON_MS ? [{ claimed, gapMs: next.gapMs }] : [],
    );
    for (const gapMs of new Set(soon.map((one) => one.gapMs))) {
      const due = soon.filter((one) => one.gapMs === gapMs).map(({ claimed }) => claimed.subscriptionId);
      setTimeout(() => this.refill(due), gapMs).unref();
    }
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
