import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseUnavailable, isRetryable } from '@reseller/database';
import { ERROR_CATALOGUE, isAppError } from '@reseller/errors';
import type { DomainEvent } from './domain-event';
import { toDeadLetter } from './dead-letter';
import type { ConsumerDeps } from './consumer-deps';
import { eventFields, handleTraced } from './traced';
import type { Claim, OwnedPartition, PartitionStore, StoredEvent } from './partition-store';

const defaultMaxAttempts = 8;
const defaultBatchSize = 100;

/** Handles one owned partition's events in order, until there are none or the lease is lost. */
export class PartitionWorker {
  private running: Promise<void> | undefined;
  private readonly closing = new AbortController();
  private failuresInARow = 0;

  constructor(
    readonly of: OwnedPartition,
    private readonly store: PartitionStore,
    private readonly deps: ConsumerDeps,
  ) {}

  /** Starts work when none is going on. */
  start(): void {
    if (this.running || this.closing.signal.aborted) return;
    this.running = this.work().finally(() => (this.running = undefined));
  }

  /** Takes nothing new from now on; returns whether nothing is in flight any more. */
  close(): boolean {
    this.closing.abort();
    return !this.running;
  }

  /** Whether it was closed and has ended. */
  get hasEnded(): boolean {
    return this.closing.signal.aborted && !this.running;
  }

  /** Takes nothing new and resolves when what is in flight has ended. */
  async drain(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async work(): Promise<void> {
    const { batchSize = defaultBatchSize } = this.deps.subscription;
    try {
      while (!this.closing.signal.aborted) {
        const claim = await this.store.claim(this.of, batchSize);
        if (!claim || !(await this.settle(claim))) return;
      }
    } catch (error) {
      this.deps.log.warn({ err: error, ...this.of }, 'the event bus failed while a partition was handled');
      await this.rest();
    }
  }

  /** Returns whether to go on at once. */
  private async settle(claim: Claim): Promise<boolean> {
    const first = claim.events[0];
    if (!first) return this.store.commit(this.of, claim.nextOffset, true);
    const { maxAttempts = defaultMaxAttempts } = this.deps.subscription;
    if (claim.attempts > maxAttempts) {
      // Each attempt was counted before its effect and none came back: the event ends the process that handles it.
      return this.deadLetter(
        first,
        new Error('the consumer ended while it handled the event'),
        claim.attempts - 1,
      );
    }
    try {
      await handleTraced(this.deps.subscription, claim.events.map(withoutOffset));
    } catch (error) {
      return this.failed(claim, first, error as Error, maxAttempts);
    }
    this.failuresInARow = 0;
    return this.moveOn(claim.events, claim.careful);
  }

  private async failed(
    claim: Claim,
    first: StoredEvent,
    error: Error,
    maxAttempts: number,
  ): Promise<boolean> {
    const { metrics, log, subscription } = this.deps;
    metrics?.failures.inc({ group: subscription.group, topic: this.of.topic });
    log.warn(
      { err: error, group: subscription.group, ...this.of, ...eventFields(first), attempts: claim.attempts },
      'an event failed',
    );
    if (isForLater(error)) {
      await this.store.forgetAttempt(this.of);
    } else if (claim.events.length === 1 && claim.attempts >= maxAttempts) {
      return this.deadLetter(first, error, claim.attempts);
    }
    await this.rest();
    return true;
  }

  private async moveOn(events: StoredEvent[], careful: boolean): Promise<boolean> {
    const last = events.at(-1);
    if (!last) return false;
    const offset = String(BigInt(last.offset) + 1n);
    const isCommitted = await this.store.commit(this.of, offset, !careful);
    if (!isCommitted) return false;
    const labels = { group: this.deps.subscription.group, topic: this.of.topic };
    this.deps.metrics?.handled.inc(labels, events.length);
    return true;
  }

  private async deadLetter(stored: StoredEvent, error: Error, attempts: number): Promise<boolean> {
    const { subscription, metrics, log, publish } = this.deps;
    const event = withoutOffset(stored);
    // Stored before the offset moves on, under an id that follows from event and group: once, also after a crash.
    await publish([toDeadLetter(event, { group: subscription.group, error, attempts })]);
    log.error({ err: error, group: subscription.group, ...eventFields(event) }, 'an event is a dead letter');
    metrics?.dead.inc({ group: subscription.group, topic: this.of.topic });
    await subscription.onDeadLetter?.(event, error);
    this.failuresInARow = 0;
    return this.moveOn([stored], true);
  }

  private async rest(): Promise<void> {
    const ms = Math.min(50 * 2 ** this.failuresInARow, 5_000);
    this.failuresInARow += 1;
    await pause(ms, undefined, { signal: this.closing.signal }).catch(() => undefined);
  }
}

/** A fault of the surroundings, such as a database that is away, says nothing against the event. */
function isForLater(error: unknown): boolean {
  if (isAppError(error)) return ERROR_CATALOGUE[error.code].retryable;
  return isDatabaseUnavailable(error) || isRetryable(error);
}

function withoutOffset({ offset: _, ...event }: StoredEvent): DomainEvent {
  return event;
}
