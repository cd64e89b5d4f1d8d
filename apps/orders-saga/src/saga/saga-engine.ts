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
import type { Order } from '../order/domain/order';
import { openStep, type JournalEntry } from './domain/journal';
import type { LeaseKeeper } from './lease-keeper';
import type { RunningAttempts } from './running-attempts';
import { SagaRecord, type Progress, type RunEnd } from './saga-record';
import type { SagaPlan } from './saga-plan';
import type { SagaMetrics } from './saga-metrics';
import type { RunMode, SagaRun } from './saga-run';
import type { Grant, SagaRepository } from './saga.repository';

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

/** Drives sagas from their recorded step to where they end or have to wait; every write is fenced (spec §4.7). */
export class SagaEngine {
  private readonly record: SagaRecord;

  constructor(private readonly parts: SagaEngineParts) {
    this.record = new SagaRecord(parts);
  }

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
    if (!intent) return this.record.settle(progress);
    const announced = await this.record.announceWhenTakenOver(progress, run);
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
      return this.record.outcome(announced, run, intent, step, outcome);
    });
  }

  private told(end: RunEnd, { product }: Order): RunEnd {
    const status = 'order' in end ? end.order.status : undefined;
    const fields = { product, end: end.kind, status };
    if (status === 'InterventionRequired') this.parts.log.warn(fields, 'an order needs an operator');
    else this.parts.log.info(fields, 'an order was driven');
    return end;
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
