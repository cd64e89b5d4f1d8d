import type { CallContext } from '@reseller/rpc';
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
import type { Order } from '../order/domain/order';
import { openStep, type JournalEntry } from './domain/journal';
import { settle, transitionOf, type Transition } from './domain/transition';
import type { LeaseManager } from './lease-manager';
import { recordFailure, type RecordFailureDeps } from './record-failure';
import { recordTransition, type DrivenSaga, type RunEnd, type SagaOutcome } from './record-transition';
import { startBudget } from './run-budget';
import type { RunningAttempts } from './running-attempts';
import { laneOf, type SagaDefinition } from './saga-plan';
import type { RunMode } from './domain/step-outcome';
import type { SagaRun } from './saga-step';
import type { Grant } from './lease.repository';
import type { SagaState } from './saga.repository';

/** What an engine works with; `StepDeps` is what the steps of its sagas do. */
interface SagaEngineDeps<StepDeps> extends RecordFailureDeps {
  readonly leases: LeaseManager;
  readonly running: RunningAttempts;
  /** The saga of an order's product. */
  readonly definitionOf: (product: string) => SagaDefinition<StepDeps>;
  readonly steps: StepDeps;
  /** How long one driving may wait before it suspends the saga, in milliseconds. */
  readonly budgetMs: number;
}

/** For whom an order is driven. */
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
  /** Whether there is room in the order's lane; without it the order is left there. */
  readonly enter?: ((lane: string) => boolean) | undefined;
}

/** The part of an engine that others drive orders with. */
export type SagaDriver = Pick<SagaEngine<never>, 'runNew' | 'resume' | 'freshUnderWay'>;

/** Drives sagas from their recorded step to where they end or have to wait; every write is fenced (spec §4.7). */
export class SagaEngine<StepDeps> {
  /** How many orders are driven for callers that wait for them. */
  freshUnderWay = 0;

  constructor(private readonly deps: SagaEngineDeps<StepDeps>) {}

  /** Drives an order that this process has just made; `leasedAt` is performance.now() from before it was. */
  runNew(order: Order, firstStep: JournalEntry, leasedAt: number, call: CallContext): Promise<RunEnd> {
    const grant: Grant = {
      orderId: order.id,
      epoch: '1',
      attempts: 0,
      isProcessingEmitted: false,
      origin: null,
    };
    const saga: DrivenSaga = { order, journal: [firstStep], grant, isResumed: false };
    const { requestId, deadlineAt } = call;
    this.freshUnderWay += 1;
    const attempt = this.drive(saga, () => 0, leasedAt, { mode: 'request', requestId, deadlineAt }).finally(
      () => (this.freshUnderWay -= 1),
    );
    return this.deps.running.track(order.id, attempt);
  }

  /** Carries on an order whose lease was just granted; a failure is logged, and the lease lapses. */
  async resume(grant: Grant, leasedAt: number, resumption: Resumption): Promise<void> {
    try {
      await this.deps.running.track(grant.orderId, this.resumeInTrace(grant, leasedAt, resumption));
    } catch (err) {
      this.deps.log.error({ err, orderId: grant.orderId }, 'an order could not be carried on');
    }
  }

  private resumeInTrace(
    grant: Grant,
    leasedAt: number,
    { decidedBy, signal, enter }: Resumption,
  ): Promise<RunEnd | undefined> {
    // A decision is the operator's doing, and what comes of it follows from the operator's request.
    const origin: Headers | null = decidedBy === undefined ? grant.origin : currentHeaders();
    const headers = { [REQUEST_ID]: decidedBy ?? `recovery-${randomUUID()}`, ...origin };
    const attributes = { 'reseller.attempts': grant.attempts };
    const link = decidedBy ? spanOf(grant.origin) : trace.getActiveSpan()?.spanContext();
    return continueFrom(headers, () =>
      inSpan('saga resume', { attributes, links: [link] }, async () => {
        const state = await this.deps.sagas.load(grant.orderId);
        if (!state) return undefined;
        const { order, journal } = state;
        const lane = laneOf(this.deps.definitionOf(order.product).plan, order, journal);
        if (lane !== undefined && enter?.(lane) === false) {
          await this.deps.sagas.moveToLane(grant, lane);
          return undefined;
        }
        const saga: DrivenSaga = { order, journal, grant, isResumed: true };
        const drive: Drive = { mode: 'recovery', requestId: headers[REQUEST_ID], signal };
        return this.drive(saga, clockFrom(state), leasedAt, drive);
      }),
    );
  }

  private drive(
    first: DrivenSaga,
    msSince: SagaRun['msSince'],
    leasedAt: number,
    drive: Drive,
  ): Promise<RunEnd> {
    return withLogFields({ orderGlobalId: first.order.globalId }, async () => {
      const { leases, budgetMs, log } = this.deps;
      const { mode, requestId, deadlineAt, signal } = drive;
      const lease = leases.hold(first.grant.orderId, first.grant.epoch, leasedAt);
      const sources = signal ? [lease.signal, signal] : [lease.signal];
      const budget = startBudget(budgetMs, deadlineAt, sources);
      const call = { requestId, ...(mode === 'request' && { deadlineAt: budget.endsAt }) };
      const common = { lease, mode, msSince, signal: budget.signal, call, log };
      try {
        let saga = first;
        for (;;) {
          const outcome = await this.takeStep(saga, common);
          if (outcome.kind !== 'moved') return this.logEnd(outcome, saga.order);
          saga = outcome.saga;
        }
      } finally {
        budget.clear();
        lease.release();
      }
    });
  }

  private async takeStep(
    saga: DrivenSaga,
    common: Omit<SagaRun, 'order' | 'journal' | 'isResumed' | 'attempts'>,
  ): Promise<SagaOutcome> {
    const { order, journal, isResumed, grant } = saga;
    const { mode, lease } = common;
    const definition = this.deps.definitionOf(order.product);
    const intent = openStep(journal);
    if (!intent) return recordTransition(this.deps, definition, saga, settle(saga), mode);

    let current = saga;
    if (mode === 'recovery' && order.status === 'Processing' && !grant.isProcessingEmitted) {
      const emitted = await recordTransition(this.deps, definition, saga, STILL_PROCESSING, mode);
      if (emitted.kind !== 'moved') return emitted;
      current = { ...emitted.saga, isResumed };
    }
    // One that stood still for its whole time asks once more before it gives up what nobody has taken.
    if (!lease.isHeld()) await this.deps.leases.renew();
    if (!lease.isHeld()) return { kind: 'fenced' };

    const run: SagaRun = { ...common, order, journal, isResumed, attempts: grant.attempts };
    try {
      return await this.tryStep(definition, current, intent, run);
    } catch (error) {
      return recordFailure(this.deps, definition, current, intent, { mode, error });
    }
  }

  private async tryStep(
    definition: SagaDefinition<StepDeps>,
    saga: DrivenSaga,
    intent: JournalEntry,
    run: SagaRun,
  ): Promise<SagaOutcome> {
    const { steps, passCrashPoint } = this.deps;
    const step = definition.plan.steps[intent.step];
    if (!step) throw new Error(`the saga of ${run.order.product} has no step ${intent.step}`);
    await passCrashPoint(`${intent.step}.before`);
    // What the step emits is written within its span, so that it follows from this step.
    return inSpan(`saga ${intent.step}`, { attributes: attributesOf(run) }, async (span) => {
      const outcome = await step.act(steps, run);
      span.setAttribute('reseller.outcome', outcome.kind);
      await passCrashPoint(`${intent.step}.after`);
      const transition = transitionOf(definition.moves, saga, intent, step, outcome);
      if (outcome.kind === 'replaced') await passCrashPoint('step.replace.before');
      const recorded = await recordTransition(this.deps, definition, saga, transition, run.mode);
      if (outcome.kind === 'replaced') await passCrashPoint('step.replace.after');
      return recorded;
    });
  }

  private logEnd(end: RunEnd, { product }: Order): RunEnd {
    const status = 'order' in end ? end.order.status : undefined;
    const fields = { product, end: end.kind, status };
    if (end.kind === 'parked') this.deps.log.warn(fields, 'an order needs an operator');
    else this.deps.log.info(fields, 'an order was driven');
    return end;
  }
}

// Written before the first step of a takeover: nobody who made the order hears by a response that it is Processing.
const STILL_PROCESSING: Transition = { to: 'Processing', entries: [], next: 'Hold' };

/** How long ago something was by the database's clock, as of which the state was read. */
function clockFrom({ readAt }: SagaState): SagaRun['msSince'] {
  const startedAt = performance.now();
  return (time) => readAt.getTime() - time.getTime() + performance.now() - startedAt;
}

function attributesOf({ order, mode, isResumed }: SagaRun): Record<string, string | boolean> {
  return {
    'reseller.order_id': order.globalId,
    'reseller.product': order.product,
    'reseller.mode': mode,
    'reseller.is_resumed': isResumed,
  };
}
