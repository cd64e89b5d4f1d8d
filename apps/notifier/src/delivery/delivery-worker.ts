import { BackgroundLoop } from '@reseller/messaging';
import type { Logger, Stoppable } from '@reseller/service-kit';
import type { OpenSecret } from '../subscription/remember-secrets';
import { DeliveryAttempts } from './delivery-attempts';
import type { DeliveryMetrics } from './delivery-metrics';
import type { DeliveryQueueRepository, RecordedAttempt } from './delivery-queue.repository';
import type { RetryPolicy } from './domain/retry-plan';
import { LaneCursor, type Look } from './lane-cursor';
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

/** Retries that come this soon are waited for to the millisecond; for others the poll is exact enough. */
const SOON_MS = 5_000;
const LONGEST_IDLE_POLLS = 16;

/**
 * Claims due deliveries, attempts them and records the results, for as long as the process lives: whatever fails is
 * logged and tried again after at most 2 s.
 */
export class DeliveryWorker implements Stoppable {
  private readonly attempts: DeliveryAttempts;
  private readonly results: ResultBuffer;
  private loop: BackgroundLoop | undefined;
  private stopped: Promise<void> | undefined;
  private isSweepDue = true;
  /** When all subscriptions were last looked at. */
  private sweptAt = 0;
  /** How many looks in a row found nothing left to deliver while nothing was under way. */
  private idleLooks = 0;
  /** Subscriptions that had slots freed or retries come due since they were last claimed for. */
  private readonly freed = new Set<string>();
  private readonly cursor = new LaneCursor();

  constructor(private readonly deps: WorkerDeps) {
    this.results = new ResultBuffer({
      log: deps.log,
      write: async (attempts) => {
        const recorded = await deps.queue.recordResults(attempts);
        this.deps.metrics?.countResults(attempts, recorded);
        this.refill(attempts.map(({ claimed }) => claimed.subscriptionId));
        this.refillAtRetries(attempts);
      },
    });
    this.attempts = new DeliveryAttempts({ ...deps, results: this.results });
  }

  get inFlight(): number {
    return this.attempts.count;
  }

  start(): void {
    this.loop ??= new BackgroundLoop(
      (signal) => this.claimAll(signal),
      (err) => this.noteFailedClaim(err),
    );
  }

  /** Says that something may be due: it is looked for at once. */
  wake(): void {
    this.idleLooks = 0;
    this.isSweepDue = true;
    this.loop?.wake();
  }

  /** Claims no more, waits for the attempts under way, and gives back those that take longer than `drainMs`; calling it twice stops once. */
  stop(): Promise<void> {
    return (this.stopped ??= this.drain());
  }

  private async drain(): Promise<void> {
    const { queue, log, settings } = this.deps;
    await this.loop?.stop();
    await Promise.race([this.attempts.untilIdle(), timeUp(settings.drainMs)]);
    const left = this.attempts.open;
    if (left.length > 0)
      await queue.release(left).catch((err: unknown) => log.warn({ err }, 'leases are left to lapse'));
    const giveUp = setTimeout(() => this.results.giveUp(), settings.recordMs);
    await this.results.drain();
    clearTimeout(giveUp);
  }

  /** Has slots of these subscriptions filled again. */
  private refill(subscriptionIds: readonly string[]): void {
    for (const id of subscriptionIds) this.freed.add(id);
    this.loop?.wake();
  }

  /** Claims for as long as more may be due, and returns how long to rest then. */
  private async claimAll(signal: AbortSignal): Promise<number> {
    while (!signal.aborted) {
      const scarceMs = this.attempts.scarceUntil - performance.now();
      if (scarceMs > 0) {
        this.isSweepDue = true;
        return scarceMs;
      }
      if (!(await this.claimOnce())) break;
    }
    return this.restMs();
  }

  private noteFailedClaim(err: unknown): void {
    const { log, metrics } = this.deps;
    this.isSweepDue = true;
    this.cursor.reset();
    log.error({ err }, 'due webhook deliveries cannot be claimed');
    metrics?.countFailedClaim();
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
    const limit = Math.min(settings.maxInFlight - this.attempts.count, settings.claimBatch);
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
    const isIdle = seen.lanes.length + claimed.length + this.attempts.count === 0;
    this.idleLooks = isIdle ? this.idleLooks + 1 : 0;
    // A process that stood still meanwhile has lost them: others attempt them, with the url and the secret of now.
    if (performance.now() - claimedAt > leaseMs) return true;
    for (const one of claimed) this.attempts.begin(one);
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

  private refillAtRetries(attempts: readonly RecordedAttempt[]): void {
    const soon = attempts.flatMap(({ claimed, next }) =>
      next.status === null && next.gapMs <= SOON_MS ? [{ claimed, gapMs: next.gapMs }] : [],
    );
    for (const gapMs of new Set(soon.map((one) => one.gapMs))) {
      const due = soon.filter((one) => one.gapMs === gapMs).map(({ claimed }) => claimed.subscriptionId);
      setTimeout(() => this.refill(due), gapMs).unref();
    }
  }
}

function timeUp(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
