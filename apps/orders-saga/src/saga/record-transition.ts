import type { PassCrashPoint } from '@reseller/service-kit';
import { checkMove } from '../order/domain/moves';
import type { Order } from '../order/domain/order';
import { eventOf } from '../order/order-events';
import { openDecision, type JournalEntry } from './domain/journal';
import { emitsStatus, type Transition, type Withdrawal } from './domain/transition';
import type { SagaMetrics } from './saga-metrics';
import { laneOf, type SagaDefinition } from './saga-plan';
import type { RunMode } from './domain/step-outcome';
import type { Grant } from './lease.repository';
import type { SagaRepository } from './saga.repository';

/** A saga as the process that drives it knows it to be on record. */
export interface DrivenSaga {
  readonly order: Order;
  readonly journal: readonly JournalEntry[];
  readonly grant: Grant;
  /** Whether the open step was found on record, so that it may have taken effect already. */
  readonly isResumed: boolean;
}

/** What came of writing a transition, and so of driving a saga, which ends with the first that has not `moved`. */
export type SagaOutcome =
  /** The next step is open. */
  | { readonly kind: 'moved'; readonly saga: DrivenSaga }
  /** The order reached the status that its saga was to bring it to. */
  | { readonly kind: 'finished'; readonly order: Order }
  /** It waits for an operator. */
  | { readonly kind: 'parked'; readonly order: Order }
  /** It waits for a vendor or for a service; someone carries it on. */
  | { readonly kind: 'suspended'; readonly order: Order }
  /** It was refused before anything was ordered of anybody, and never was. */
  | { readonly kind: 'withdrawn'; readonly error: Error }
  /** Another process took it over. */
  | { readonly kind: 'fenced' };

/** How the driving of a saga ended. */
export type RunEnd = Exclude<SagaOutcome, { kind: 'moved' }>;

/** What writing transitions works with. */
export interface RecordTransitionDeps {
  readonly sagas: SagaRepository;
  readonly passCrashPoint: PassCrashPoint;
  readonly metrics: SagaMetrics;
}

/** Writes a transition in one statement that is fenced by the lease's epoch, with the event that it emits (spec §4.7). */
export async function recordTransition(
  deps: RecordTransitionDeps,
  { type, moves, plan }: Pick<SagaDefinition<never>, 'type' | 'moves' | 'plan'>,
  saga: DrivenSaga,
  transition: Transition | Withdrawal,
  mode: RunMode,
): Promise<SagaOutcome> {
  if (transition.next === 'Withdraw') return withdraw(deps, saga, transition);
  const { order, journal, grant } = saga;
  const { isProcessingEmitted } = grant;
  const to = checkMove(moves, order.status, transition.to);
  const emits = emitsStatus(order.status, transition, { mode, isProcessingEmitted });
  const event = emits ? eventOf(type, order, to, transition.change) : undefined;
  const vendorName = transition.change?.vendorName ?? order.vendorName;
  const lane =
    transition.next === 'Suspend'
      ? laneOf(plan, { vendorName }, [...journal, ...transition.entries])
      : undefined;
  const written = { ...transition, to, order, epoch: grant.epoch, lane, event };
  const moved = await deps.sagas.advance(written);
  if (transition.next === 'Finish') await deps.passCrashPoint('order.end.after');
  if (!moved) return { kind: 'fenced' };
  switch (transition.next) {
    case 'Hold': {
      const isEmitted = isProcessingEmitted || (emits && to === 'Processing');
      return {
        kind: 'moved',
        saga: {
          order: moved,
          journal: [...journal, ...transition.entries],
          grant: { ...grant, isProcessingEmitted: isEmitted },
          isResumed: false,
        },
      };
    }
    case 'Suspend':
      return { kind: 'suspended', order: moved };
    case 'Park':
    case 'Finish':
      if (!openDecision(journal)) deps.metrics.ended(order.status, moved);
      return { kind: transition.next === 'Park' ? 'parked' : 'finished', order: moved };
  }
}

async function withdraw(
  { sagas, passCrashPoint }: RecordTransitionDeps,
  { order, grant }: DrivenSaga,
  { error }: Withdrawal,
): Promise<RunEnd> {
  await passCrashPoint('order.withdraw.before');
  const isWithdrawn = await sagas.withdraw(order.id, grant.epoch);
  await passCrashPoint('order.withdraw.after');
  return isWithdrawn ? { kind: 'withdrawn', error } : { kind: 'fenced' };
}
