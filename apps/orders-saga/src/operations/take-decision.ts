import type { ApprovalRepository, ApprovalSettings } from '@reseller/approvals';
import type { ResolveOrderRequest } from '@reseller/contracts';
import type { Queryable } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { checkMove } from '../order/domain/moves';
import type { Order } from '../order/domain/order';
import { orderIdOf } from '../order/domain/order-id';
import { eventOf } from '../order/order-events';
import type { OrderRepository } from '../order/order.repository';
import type { Product, ProductDeps } from '../products/product';
import { intentOf, openStep, resultOf, type JournalEntry } from '../saga/domain/journal';
import type { Details } from '../saga/domain/step-outcome';
import type { LeaseManager } from '../saga/lease-manager';
import type { RunningAttempts } from '../saga/running-attempts';
import type { SagaDriver } from '../saga/saga-engine';
import type { Advance, SagaRepository, SagaState } from '../saga/saga.repository';
import {
  requireReach,
  stepOfDecision,
  type DecisionKind,
  type DecisionRule,
  type OperatorCall,
} from './domain/decision';

/** What deciding an order works with. */
export interface DecideOrderDeps extends ProductDeps {
  readonly orders: OrderRepository;
  readonly sagas: SagaRepository;
  readonly engine: SagaDriver;
  readonly leases: LeaseManager;
  readonly running: RunningAttempts;
  /** How long an operator waits for the effect on the money, in milliseconds. */
  readonly decisionWaitMs: number;
  readonly approvals: ApprovalRepository;
  readonly approvalSettings: ApprovalSettings;
}

/** An operator's decision; `resolution` is the whole of what was said of an order that is resolved. */
export interface Decision extends OperatorCall {
  readonly orderGlobalId: string;
  readonly kind: DecisionKind;
  readonly notes: string;
  readonly resolution?: ResolveOrderRequest | undefined;
  /** Where a second operator has approved it. */
  readonly approval?: DecisionApproval | undefined;
}

/** What is recorded together with a decision that a second operator has approved. */
export interface DecisionApproval {
  /** In the journal beside the decision, for the timeline. */
  readonly details: Details;
  /** Writes the approval in the decision's transaction; throws when it may not be approved any more, and nothing is decided. */
  readonly approve: (tx: Queryable) => Promise<void>;
}

/** The order and its journal; throws NOT_FOUND_ORDER, also for one that is not the deciding partner's. */
export async function loadOrder(
  { sagas }: DecideOrderDeps,
  { orderGlobalId, partner }: Pick<Decision, 'orderGlobalId' | 'partner'>,
): Promise<SagaState> {
  const orderId = orderIdOf(orderGlobalId);
  const state = orderId === undefined ? undefined : await sagas.load(orderId);
  if (state?.order.globalId !== orderGlobalId) throw new AppError('NOT_FOUND_ORDER');
  requireReach({ partner }, state.order, 'NOT_FOUND_ORDER');
  return state;
}

/** Puts the decision on record and has the saga carry it out; undefined when another one was faster. */
export async function takeDecision(
  deps: DecideOrderDeps,
  product: Product,
  rule: DecisionRule,
  seen: SagaState,
  decision: Decision,
): Promise<JournalEntry | undefined> {
  const { sagas, leases, engine } = deps;
  const { kind, operator, partner, notes, requestId, approvedBy, approval } = decision;
  if (!stepOfDecision(kind, rule, seen.order.status, seen.journal)) throw conflict(seen.order, rule);
  const delivered = await deliveredBy(deps, product, seen, decision);
  const leasedAt = performance.now();
  let intent: JournalEntry | undefined;
  const decide = ({ order, journal }: SagaState, epoch: string): Advance => {
    const next = stepOfDecision(kind, rule, order.status, journal);
    if (next === undefined) throw conflict(order, rule);
    // On record with the decision, so that whoever carries it on names them to finance (spec §18.4).
    const decided = {
      ...{ decision: kind, operator, requestId, notes },
      ...(approvedBy && { approvedBy }),
      ...(partner && { isByPartner: true }),
    };
    intent = intentOf(journal, rule.step, { ...decided, ...delivered, ...approval?.details });
    const at = rule.from.includes(order.status) ? (rule.at ?? order.status) : order.status;
    return {
      ...{ order, epoch },
      to: checkMove(product.moves, order.status, at),
      entries: [intent, ...openAt(journal, next)],
      next: 'Hold',
      event: at === order.status ? undefined : eventOf(product.type, order, at),
    };
  };
  const { owner, leaseMs } = leases;
  const grant = await sagas.decide(seen.order, { owner, leaseMs }, decide, approval?.approve);
  if (!grant) return undefined;
  await deps.passCrashPoint('decision.record.after');
  void engine.resume(grant, leasedAt, { decidedBy: requestId });
  return intent;
}

/** The entries by which a step is the open one; the one that was given up may have had its effect. */
function openAt(journal: readonly JournalEntry[], step: string): JournalEntry[] {
  const open = openStep(journal);
  if (open?.step === step) return [];
  const closed = open ? [resultOf(open, 'Unknown', { reason: 'An operator decided.' })] : [];
  return [...closed, intentOf(journal, step)];
}

async function deliveredBy(
  deps: DecideOrderDeps,
  { vendor }: Product,
  { order, journal }: SagaState,
  { kind, resolution }: Decision,
): Promise<Details> {
  if (kind !== 'resolve-completed' || !resolution || !vendor?.delivery) return {};
  return vendor.delivery.noteResolution(deps, order, journal, resolution);
}

/** Of an order that cannot be decided so. */
export function conflict(order: Order, rule: DecisionRule): AppError {
  return new AppError('CONFLICT_ORDER_STATE', {
    message: `The order is ${order.status}; this decision is for orders that are ${rule.from.join(' or ')}, and only where it fits what was done of them.`,
    status: order.status,
  });
}
