import type { PassCrashPoint } from '../crash-points';
import { moveStatus, type Order, type OrderChange, type OrderStatus } from '../order/domain/order';
import { eventOf } from '../order/order-events';
import { intentOf, openDecision, resultOf, type EntryOutcome, type JournalEntry } from './domain/journal';
import type { SagaMetrics } from './saga-metrics';
import type { NextMove, PlannedStep } from './saga-plan';
import type { SagaRun, StepOutcome } from './saga-run';
import type { Advance, Grant, SagaRepository, SagaState } from './saga.repository';

/** How one driving of a saga ended. */
export type RunEnd =
  /** The order reached a status that nobody but an operator changes. */
  | { readonly kind: 'ended'; readonly order: Order }
  /** It waits for the vendor or for a service; someone carries it on. */
  | { readonly kind: 'let-go'; readonly order: Order }
  /** It was refused before any vendor was asked, and never was. */
  | { readonly kind: 'withdrawn'; readonly error: Error }
  /** Another process took it over. */
  | { readonly kind: 'fenced' };

/** A saga as this process knows it to be on record. */
export interface Progress extends SagaState {
  readonly grant: Grant;
  readonly isResumed: boolean;
}

/** What a record is made of. */
export interface SagaRecordParts {
  readonly sagas: SagaRepository;
  readonly passCrashPoint: PassCrashPoint;
  readonly metrics: SagaMetrics;
}

/**
 * Writes down what a step came to and what follows from it, in one fenced statement each (spec §4.7), and answers where
 * the saga is now or how its driving ended.
 */
export class SagaRecord {
  constructor(private readonly parts: SagaRecordParts) {}

  /** Follows a step's outcome to the next step, to a wait or to an end. */
  outcome(
    progress: Progress,
    run: SagaRun,
    intent: JournalEntry,
    step: PlannedStep,
    outcome: StepOutcome,
  ): Promise<Progress | RunEnd> {
    switch (outcome.kind) {
      case 'done':
        return this.follow(progress, run, step.done, intent, 'Done', outcome);
      case 'refused':
        return step.refused
          ? this.follow(progress, run, step.refused, intent, 'Refused', outcome)
          : this.park(progress, intent, outcome);
      case 'next':
        return this.goOn(progress, intent, outcome);
      case 'later':
        return this.letGo(progress, outcome);
      case 'undecidable':
        return this.park(progress, intent, outcome);
    }
  }

  private async follow(
    progress: Progress,
    run: SagaRun,
    move: NextMove,
    intent: JournalEntry,
    result: EntryOutcome,
    outcome: Extract<StepOutcome, { kind: 'done' | 'refused' }>,
  ): Promise<Progress | RunEnd> {
    if (move.kind === 'withdraw') return this.withdraw(progress, outcome, move.reason);
    const { order, journal } = progress;
    const entries = [resultOf(intent, result, outcome.details ?? null)];
    if (move.kind === 'go') {
      entries.push(intentOf(journal, move.step, move.details?.(order)));
      const to = move.status ?? order.status;
      const announces = to === 'Processing' && order.status !== to && run.mode === 'recovery';
      return this.advance(progress, { to, change: outcome.change, entries, next: 'Hold' }, announces);
    }
    const decision = openDecision(journal);
    if (decision) entries.push(resultOf(decision, 'Done'));
    const change = { ...outcome.change, ...move.change?.(order, journal) };
    const to = move.status(order);
    // A scent order's saga ends when it is paid: being fulfilled, it is Processing, and that is told at once.
    const announces = to === 'Processing' && order.status !== to;
    const ended = await this.advance(progress, { to, change, entries, next: 'Finish' }, announces);
    this.parts.passCrashPoint('order.end.after');
    if ('kind' in ended) return ended;
    if (!decision) this.parts.metrics.ended(order.status, ended.order);
    return { kind: 'ended', order: ended.order };
  }

  // One intent takes the place of another in one statement, so that a crash finds the one or the other open.
  private async goOn(
    progress: Progress,
    intent: JournalEntry,
    { result, details, step, intentDetails, change, afterMs }: Extract<StepOutcome, { kind: 'next' }>,
  ): Promise<Progress | RunEnd> {
    const { order, journal, grant } = progress;
    const isLetGo = afterMs !== undefined;
    const entries = [resultOf(intent, result, details), intentOf(journal, step, intentDetails)];
    const next = isLetGo ? ('LetGo' as const) : ('Hold' as const);
    const announces = isLetGo && order.status === 'Processing' && !grant.isAnnounced;
    this.parts.passCrashPoint('vendor.failover.before');
    const gone = await this.advance(
      progress,
      { to: order.status, change, entries, next, wakeMs: afterMs },
      announces,
    );
    this.parts.passCrashPoint('vendor.failover.after');
    return isLetGo && !('kind' in gone) ? { kind: 'let-go', order: gone.order } : gone;
  }

  private async letGo(
    progress: Progress,
    { afterMs, change, notes = [] }: Extract<StepOutcome, { kind: 'later' }>,
  ): Promise<RunEnd> {
    const { status } = progress.order;
    const announces = status === 'Processing' && !progress.grant.isAnnounced;
    const move = { to: status, change, entries: notes, next: 'LetGo' as const, wakeMs: afterMs };
    const waiting = await this.advance(progress, move, announces);
    return 'kind' in waiting ? waiting : { kind: 'let-go', order: waiting.order };
  }

  // An order that an operator may still decide becomes InterventionRequired; any other keeps its status.
  private async park(
    progress: Progress,
    intent: JournalEntry,
    outcome: Extract<StepOutcome, { kind: 'refused' | 'undecidable' }>,
  ): Promise<RunEnd> {
    const { order } = progress;
    const to: OrderStatus = order.status === 'Processing' ? 'InterventionRequired' : order.status;
    const result = order.status === 'Processing' && intent.step === 'vendor.submit' ? 'Unknown' : 'Failed';
    const entries = [resultOf(intent, result, outcome.details ?? null)];
    const decision = openDecision(progress.journal);
    if (decision) entries.push(resultOf(decision, 'Failed', outcome.details ?? null));
    const parked = await this.advance(progress, { to, change: outcome.change, entries, next: 'Park' });
    if ('kind' in parked) return parked;
    if (!decision) this.parts.metrics.ended(order.status, parked.order);
    return { kind: 'ended', order: parked.order };
  }

  private async withdraw(
    { order, grant, journal }: Progress,
    outcome: Extract<StepOutcome, { kind: 'done' | 'refused' }>,
    reason?: (journal: readonly JournalEntry[]) => Error,
  ): Promise<RunEnd> {
    this.parts.passCrashPoint('order.withdraw.before');
    const isWithdrawn = await this.parts.sagas.withdraw(order.id, grant.epoch);
    this.parts.passCrashPoint('order.withdraw.after');
    const error = reason?.(journal) ?? (outcome.kind === 'refused' ? outcome.error : undefined);
    return isWithdrawn
      ? { kind: 'withdrawn', error: error ?? new Error('the order was refused') }
      : { kind: 'fenced' };
  }

  /** Nothing is open when an operator's taking over was cut off before the decision: the order stays as it was. */
  async settle(progress: Progress): Promise<RunEnd> {
    const { order } = progress;
    const next = order.status === 'InterventionRequired' ? 'Park' : 'Finish';
    const settled = await this.advance(progress, { to: order.status, entries: [], next });
    return 'kind' in settled ? settled : { kind: 'ended', order: settled.order };
  }

  /** Tells that the order is Processing, once, when nobody who asked for it is told by an answer; undefined when fenced. */
  async announceWhenTakenOver(progress: Progress, run: SagaRun): Promise<Progress | undefined> {
    const { order, grant } = progress;
    if (run.mode === 'request' || order.status !== 'Processing' || grant.isAnnounced) return progress;
    const announced = await this.advance(progress, { to: 'Processing', entries: [], next: 'Hold' }, true);
    return 'kind' in announced ? undefined : { ...announced, isResumed: progress.isResumed };
  }

  private async advance(
    progress: Progress,
    move: Pick<Advance, 'to' | 'entries' | 'next' | 'wakeMs'> & { change?: OrderChange | undefined },
    announces = false,
  ): Promise<Progress | { kind: 'fenced' }> {
    const { order, journal, grant } = progress;
    const to = moveStatus(order.product, order.status, move.to);
    const isEnd = to !== order.status && to !== 'Processing';
    const next = await this.parts.sagas.advance({
      ...move,
      orderId: order.id,
      epoch: grant.epoch,
      from: order.status,
      to,
      event: isEnd || announces ? eventOf(order, to, move.change) : undefined,
      announcesProcessing: announces,
    });
    if (!next) return { kind: 'fenced' };
    return {
      ...progress,
      order: next,
      journal: [...journal, ...move.entries],
      grant: { ...grant, isAnnounced: grant.isAnnounced || announces },
      isResumed: false,
    };
  }
}
