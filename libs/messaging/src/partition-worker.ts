import { setTimeout as pause } from 'node:timers/promises';
import { InvalidEventError } from '@reseller/errors';
import type { ConsumerDeps } from './consumer-deps';
import { endsProcess, failureOf, type DeadLetterCause } from './dead-letters/failure';
import type { DomainEvent } from './domain-event';
import { PartitionPause, restAfter, restOfSuspect } from './partition-pause';
import type { Claim, OwnedPartition, PartitionStore, StoredEvent } from './partition-store';
import { trySuspect } from './suspects';
import { eventFields, handleTraced } from './traced';

const DEFAULT_MAX_PROCESS_ENDS = 8;
/** The most events of one handler call, where a subscription does not say it. */
export const DEFAULT_BATCH_SIZE = 100;
/** Faults of the bus itself; what holds up here is not the handler. */
const BUS_BACKOFF = { firstMs: 50, mostMs: 5_000 };

/** Handles one owned partition's events in order, until there are none or the lease is lost. */
export class PartitionWorker {
  private running: Promise<void> | undefined;
  private isWoken = false;
  private readonly closing = new AbortController();
  private readonly pause: PartitionPause;
  private busFailures = 0;
  /** How many processes have ended at the next event; known here and not written yet. */
  private unwritten: number | undefined;

  constructor(
    readonly of: OwnedPartition,
    private readonly store: PartitionStore,
    private readonly deps: ConsumerDeps,
  ) {
    const { subscription, metrics } = deps;
    const labels = { group: subscription.group, topic: of.topic, partition: of.partition };
    this.pause = new PartitionPause(metrics?.pausedSince, labels, subscription.backoff);
  }

  /** Looks for events now; once more after what is going on, which may have looked a moment too early. */
  start(): void {
    if (this.closing.signal.aborted) return;
    this.isWoken = true;
    this.running ??= this.work().finally(() => (this.running = undefined));
  }

  /** Takes nothing new from now on; returns whether nothing is in flight any more. */
  close(): boolean {
    this.closing.abort();
    this.pause.end();
    return !this.running;
  }

  /** Whether it was closed and has ended. */
  get hasEnded(): boolean {
    return this.closing.signal.aborted && !this.running;
  }

  /** Takes nothing new and resolves when what is in flight has ended. */
  async drain(): Promise<void> {
    this.close();
    await this.running;
  }

  private async work(): Promise<void> {
    const { batchSize = DEFAULT_BATCH_SIZE } = this.deps.subscription;
    while (!this.closing.signal.aborted) {
      try {
        await this.writeAttempts();
        this.isWoken = false;
        const claim = await this.store.claim(this.of, batchSize);
        const goesOn = claim !== undefined && (await this.settle(claim));
        this.busFailures = 0;
        if (!goesOn && !this.isWoken) return;
      } catch (error) {
        this.deps.log.warn({ err: error, ...this.of }, 'the event bus failed while a partition was handled');
        this.busFailures += 1;
        await this.sleep(restAfter(this.busFailures, BUS_BACKOFF));
      }
    }
  }

  /** Returns whether to go on at once. */
  private async settle(claim: Claim): Promise<boolean> {
    const first = claim.events[0];
    if (!first) return this.store.commit(this.of, claim.nextOffset, true);
    // An attempt is counted before it and taken back when it returns: those that are left ended their process.
    const processEnds = claim.attempts - 1;
    const { maxProcessEnds = DEFAULT_MAX_PROCESS_ENDS, deadLetters, backoff } = this.deps.subscription;
    if (processEnds === 0) return this.handle(claim, first);
    if (processEnds >= maxProcessEnds && deadLetters)
      return this.deadLetter(first, endsProcess(processEnds), processEnds);
    await this.store.setAttempts(this.of, processEnds);
    return trySuspect({
      restMs: restOfSuspect(processEnds, backoff),
      signal: this.closing.signal,
      begin: () => this.store.setAttempts(this.of, claim.attempts),
      acquit: () => this.store.setAttempts(this.of, processEnds),
      run: () => this.handle(claim, first),
    });
  }

  private async handle(claim: Claim, first: StoredEvent): Promise<boolean> {
    try {
      await handleTraced(this.deps.subscription, claim.events.map(withoutOffset));
    } catch (error) {
      return this.failed(claim, first, error);
    }
    return this.moveOn(claim.events, claim.careful);
  }

  private async failed(claim: Claim, first: StoredEvent, error: unknown): Promise<boolean> {
    const { metrics, subscription } = this.deps;
    metrics?.failures.inc({ group: subscription.group, topic: this.of.topic });
    this.unwritten = claim.attempts - 1;
    if (error instanceof InvalidEventError && subscription.deadLetters) {
      if (claim.events.length === 1) return this.deadLetter(first, error, claim.attempts);
      // They come one by one from now on, and show which it is.
      return true;
    }
    return this.pauseAt(first, error);
  }

  /** What is wrong is not the event: it is tried until that is mended, and those behind it wait. */
  private async pauseAt(first: StoredEvent, error: unknown): Promise<boolean> {
    const restMs = this.pause.extend();
    this.deps.log.warn(
      { err: error, group: this.deps.subscription.group, ...this.of, ...eventFields(first), restMs },
      'an event failed for a reason outside of it, and its partition is paused',
    );
    await this.rest(restMs);
    return true;
  }

  private async moveOn(events: StoredEvent[], careful: boolean): Promise<boolean> {
    const last = events.at(-1);
    if (!last) return false;
    const { group } = this.deps.subscription;
    if (this.pause.end())
      this.deps.log.info({ group, ...this.of, ...eventFields(last) }, 'a paused partition goes on');
    const offset = String(BigInt(last.offset) + 1n);
    // The commit sets the attempts to nothing.
    this.unwritten = undefined;
    const isCommitted = await this.store.commit(this.of, offset, !careful);
    if (!isCommitted) return false;
    this.deps.metrics?.handled.inc({ group, topic: this.of.topic }, events.length);
    return true;
  }

  private async deadLetter(stored: StoredEvent, cause: DeadLetterCause, attempts: number): Promise<boolean> {
    const { subscription, metrics, log } = this.deps;
    const event = withoutOffset(stored);
    const failure = failureOf(cause, { group: subscription.group, attempts });
    try {
      // Stored before the offset moves on, once for event and group: also after a crash in between.
      await subscription.deadLetters?.record(event, failure);
    } catch (error) {
      return this.pauseAt(stored, error);
    }
    log.error({ err: cause, group: subscription.group, ...eventFields(event) }, 'an event is a dead letter');
    metrics?.dead.inc({ group: subscription.group, topic: this.of.topic });
    return this.moveOn([stored], true);
  }

  private async writeAttempts(): Promise<void> {
    if (this.unwritten === undefined) return;
    await this.store.setAttempts(this.of, this.unwritten);
    this.unwritten = undefined;
  }

  private async rest(ms: number): Promise<void> {
    // The attempt has returned: were the process to end during the rest, that would say nothing against the event.
    await this.writeAttempts();
    await this.sleep(ms);
  }

  private async sleep(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.closing.signal }).catch(() => undefined);
  }
}

function withoutOffset({ offset: _, ...event }: StoredEvent): DomainEvent {
  return event;
}
