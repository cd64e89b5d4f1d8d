import type { CallContext } from '@reseller/rpc';
import type { Logger } from '@reseller/service-kit';
import {
  continueFrom,
  currentHeaders,
  inSpan,
  REQUEST_ID,
  spanOf,
  withLogFields,
  type Headers,
} from '@reseller/telemetry';
import { trace } from '@opentelemetry/api';
import { randomUUID } from 'node:crypto';
import type { PassCrashPoint } from '../crash-points';
import { moveStatus, type Order, type OrderChange, type OrderStatus } from '../order/domain/order';
import { eventOf } from '../order/order-events';
import {
  intentOf,
  openDecision,
  openStep,
  resultOf,
  type EntryOutcome,
  type JournalEntry,
} from './domain/journal';
import type { LeaseKeeper } from './lease-keeper';
import type { RunningAttempts } from './running-attempts';
import type { NextMove, PlannedStep, SagaPlan } from './saga-plan';
import type { SagaMetrics } from './saga-metrics';
import type { RunMode, SagaRun, StepOutcome } from './saga-run';
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

/** What an engine is made of. */
export interface SagaEngineParts {
  readonly sagas: SagaRepository;
  readonly leases: LeaseKeeper;
  readonly running: RunningAttempts;
  readonly planOf: (order: Order) => SagaPlan;
  readonly passCrashPoint: PassCrashPoint;
  /** How long one driving may take before it lets go, in milliseconds. */
  readonly budgetMs: number;
  readonly log: Logger;
  readonly metrics: SagaMetrics;
}

interface Drive {
  readonly mode: RunMode;
  readonly requestId: string;
  /** Milliseconds since the epoch at which whoever waits for this gives up. */
  readonly deadlineAt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How an order is carried on. */
interface Resumption {
  readonly signal?: AbortSignal | undefined;
  /** The request of an operator's decision, in whose trace it goes on; otherwise it goes on in the order's own. */
  readonly decidedBy?: string | undefined;
}

interface Progress extends SagaState {
  readonly grant: Grant;
  readonly isResumed: boolean;
}

/** Drives sagas from their recorded step to where they end or have to wait; every write is fenced (decisions §4.7). */
export class SagaEngine {
  constructor(private readonly parts: SagaEngineParts) {}

  /** Drives an order that this process has just made. */
  runNew(order: Order, firstStep: JournalEntry, askedAt: number, call: CallContext): Promise<RunEnd> {
    const grant: Grant = { orderId: order.id, epoch: '1', attempts: 0, isAnnounced: false, origin: null };
    const progress: Progress = {
      grant,
      order,
      journal: [firstStep],
      vendorAskedMsAgo: 0,
      isResumed: false,
    };
    const attempt = this.drive(progress, askedAt, {
      mode: 'request',
      requestId: call.requestId,
      deadlineAt: call.deadlineAt,
    });
    return this.parts.running.track(order.id, attempt);
  }

  /** Carries on an order whose lease was just granted, from what is on record. */
  resume(grant: Grant, askedAt: number, resumption: Resumption): Promise<RunEnd> {
    const { decidedBy, signal } = resumption;
    const headers = {
      [REQUEST_ID]: decidedBy ?? `recovery-${randomUUID()}`,
      ...headersOf(grant, resumption),
    };
    const drive: Drive = { mode: 'recovery', requestId: headers[REQUEST_ID], signal };
    const attempt = async (): Promise<RunEnd> => {
      const state = await this.parts.sagas.load(grant.orderId);
      if (!state) return { kind: 'fenced' };
      return this.drive({ ...state, grant, isResumed: true }, askedAt, drive);
    };
    const attributes = { 'reseller.attempts': grant.attempts };
    const link = decidedBy ? spanOf(grant.origin) : trace.getActiveSpan()?.spanContext();
    const carried = continueFrom(headers, () =>
      inSpan('saga resume', { attributes, links: [link] }, () => attempt()),
    );
    return this.parts.running.track(grant.orderId, carried);
  }

  /** Carries on an order that nobody waits for; a failure is logged, and its lease lapses. */
  resumeInBackground(grant: Grant, askedAt: number, resumption: Resumption): Promise<void> {
    return this.resume(grant, askedAt, resumption).then(
      () => undefined,
      (err: unknown) =>
        this.parts.log.error({ err, orderId: grant.orderId }, 'an order could not be carried on'),
    );
  }

  private drive(first: Progress, askedAt: number, drive: Drive): Promise<RunEnd> {
    return withLogFields({ orderGlobalId: first.order.globalId }, () => this.driveOn(first, askedAt, drive));
  }

  private async driveOn(first: Progress, askedAt: number, drive: Drive): Promise<RunEnd> {
    const lease = this.parts.leases.hold(first.grant.orderId, first.grant.epoch, askedAt);
    const { signal, endsAt, clear } = startBudget(this.parts.budgetMs, drive, lease.signal);
    const call: CallContext = {
      requestId: drive.requestId,
      ...(drive.mode === 'request' && { deadlineAt: endsAt }),
    };
    const startedAt = performance.now();
    try {
      let progress = first;
      for (;;) {
        const { order, journal, isResumed, grant } = progress;
        const run: SagaRun = {
          order,
          journal,
          lease,
          mode: drive.mode,
          isResumed,
          attempts: grant.attempts,
          vendorAskedMsAgo: () =>
            first.order.vendorAskedAt ? first.vendorAskedMsAgo + performance.now() - startedAt : 0,
          signal,
          call,
          log: this.parts.log,
        };
        const next = await this.takeStep(progress, run);
        if ('kind' in next) return this.told(next, order);
        progress = next;
      }
    } finally {
      clear();
      lease.release();
    }
  }

  private async takeStep(progress: Progress, run: SagaRun): Promise<Progress | RunEnd> {
    const { order, journal } = progress;
    const intent = openStep(journal);
    if (!intent) return this.settle(progress);
    const announced = await this.announceWhenTakenOver(progress, run);
    if (!announced) return { kind: 'fenced' };
    const step = this.parts.planOf(order).steps[intent.step];
    if (!step) throw new Error(`the saga of ${order.product} has no step ${intent.step}`);
    if (!run.lease.isHeld()) return { kind: 'fenced' };
    this.parts.passCrashPoint(`${intent.step}.before`);
    // What it tells of is told within it, so that it follows from this step.
    return inSpan(`saga ${intent.step}`, { attributes: attributesOf(run) }, async (span) => {
      const outcome = await step.act(run);
      span.setAttribute('reseller.outcome', outcome.kind);
      this.parts.passCrashPoint(`${intent.step}.after`);
      return this.record(announced, run, intent, step, outcome);
    });
  }

  private told(end: RunEnd, { product }: Order): RunEnd {
    const status = 'order' in end ? end.order.status : undefined;
    const fields = { product, end: end.kind, status };
    if (status === 'InterventionRequired') this.parts.log.warn(fields, 'an order needs an operator');
    else this.parts.log.info(fields, 'an order was driven');
    return end;
  }

  private record(
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

  // Nothing is open when an operator's taking over was cut off before the decision: the order stays as it was.
  private async settle(progress: Progress): Promise<RunEnd> {
    const { order } = progress;
    const next = order.status === 'InterventionRequired' ? 'Park' : 'Finish';
    const settled = await this.advance(progress, { to: order.status, entries: [], next });
    return 'kind' in settled ? settled : { kind: 'ended', order: settled.order };
  }

  private async announceWhenTakenOver(progress: Progress, run: SagaRun): Promise<Progress | undefined> {
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

// A decision is the operator's doing, and what comes of it follows from the operator's request.
function headersOf({ origin }: Grant, { decidedBy }: Resumption): Headers | null {
  return decidedBy === undefined ? origin : currentHeaders();
}

function attributesOf({ order, mode, isResumed }: SagaRun): Record<string, string | boolean> {
  return {
    'reseller.order_id': order.globalId,
    'reseller.product': order.product,
    'reseller.mode': mode,
    'reseller.is_resumed': isResumed,
  };
}

// What the last answer of another service and the last write may take once the time for waiting is over.
const ANSWER_MS = 1_000;

/** The time for waiting, which ends early with the lease or the service, and in time for the caller's deadline. */
function startBudget(
  budgetMs: number,
  { deadlineAt = Number.POSITIVE_INFINITY, signal }: Drive,
  leaseSignal: AbortSignal,
): { signal: AbortSignal; endsAt: number; clear: () => void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const leftMs = Math.max(0, Math.min(budgetMs, deadlineAt - Date.now() - 2 * ANSWER_MS));
  const timer = setTimeout(stop, leftMs);
  const sources = signal ? [leaseSignal, signal] : [leaseSignal];
  for (const source of sources) source.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  return {
    signal: controller.signal,
    endsAt: Date.now() + leftMs + ANSWER_MS,
    clear: () => {
      clearTimeout(timer);
      for (const source of sources) source.removeEventListener('abort', stop);
    },
  };
}
