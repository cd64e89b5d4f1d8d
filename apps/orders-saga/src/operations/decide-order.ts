import type { ResolveOrderRequest } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { checkMove } from '../order/domain/moves';
import type { Order } from '../order/domain/order';
import { orderIdOf } from '../order/domain/order-id';
import { eventOf } from '../order/order-events';
import type { OrderRepository } from '../order/order.repository';
import { productOf } from '../products';
import type { Product, ProductDeps } from '../products/product';
import {
  intentOf,
  lastDecision,
  openDecision,
  openStep,
  resultIn,
  resultOf,
  type JournalEntry,
} from '../saga/domain/journal';
import type { Details } from '../saga/domain/step-outcome';
import type { LeaseManager } from '../saga/lease-manager';
import type { RunningAttempts } from '../saga/running-attempts';
import type { SagaDriver } from '../saga/saga-engine';
import type { SagaRepository, SagaState } from '../saga/saga.repository';
import { stepOfDecision, type DecisionKind, type DecisionRule, type OperatorCall } from './domain/decision';

/** What deciding an order works with. */
export interface DecideOrderDeps extends ProductDeps {
  readonly orders: OrderRepository;
  readonly sagas: SagaRepository;
  readonly engine: SagaDriver;
  readonly leases: LeaseManager;
  readonly running: RunningAttempts;
  /** How long an operator waits for the effect on the money, in milliseconds. */
  readonly decisionWaitMs: number;
}

/** An operator's decision; `resolution` is the whole of what was said of an order that is resolved. */
export interface Decision extends OperatorCall {
  readonly orderGlobalId: string;
  readonly kind: DecisionKind;
  readonly notes: string;
  readonly resolution?: ResolveOrderRequest | undefined;
}

const LOOK_AGAIN_MS = 100;

/**
 * Takes an operator's decision and returns the order once its effect is complete. The same decision again waits for one
 * that is under way; once it is carried out, no move is left to make, and it is CONFLICT_ORDER_STATE like any other
 * that the product does not have (spec §4.4). Taking the lease fences whoever drives the order, so that a decision and a
 * saga never both have their way. With finance away: SERVICE_UNAVAILABLE, and the effect follows by itself; only a
 * cancelled order is returned as such, for it was cancelled at once. One that cannot be carried out is CONFLICT_ORDER_STATE, and
 * may be taken again.
 */
export async function decideOrder(deps: DecideOrderDeps, decision: Decision): Promise<Order> {
  const { kind, orderGlobalId } = decision;
  const until = performance.now() + deps.decisionWaitMs;
  let state = await load(deps, orderGlobalId);
  const product = productOf(state.order.product);
  const rule = product.decisions[kind];
  if (kind === 'cancel' && product.cancelOrder && !rule?.from.includes(state.order.status)) {
    await product.cancelOrder(deps, state.order, decision);
    return (await deps.orders.findById(state.order.id)) ?? state.order;
  }
  if (!rule) throw new AppError('CONFLICT_ORDER_STATE');

  let awaited: JournalEntry | undefined;
  for (let wasFaster = false; ; state = await load(deps, orderGlobalId)) {
    const { order, journal } = state;
    // Of two at once the later one waits for what the first has begun, or is returned what it came to.
    const open = openDecision(journal);
    if (open && open.details?.['decision'] === kind) awaited ??= open;
    if (!awaited && wasFaster && isDone(journal, kind)) return order;
    if (!awaited) {
      awaited = await takeDecision(deps, product, rule, state, decision);
      wasFaster = !awaited;
      continue;
    }
    const result = resultIn(journal, awaited);
    if (result?.outcome === 'Done') return order;
    if (result) throw notCarriedOut(order, result);
    const leftMs = until - performance.now();
    if (leftMs <= 0 && order.status === rule.to) return order;
    if (leftMs <= 0) throw new AppError('SERVICE_UNAVAILABLE');
    await deps.running.waitForEnd(order.id, Math.min(leftMs, LOOK_AGAIN_MS));
  }
}

async function load({ sagas }: DecideOrderDeps, orderGlobalId: string): Promise<SagaState> {
  const orderId = orderIdOf(orderGlobalId);
  const state = orderId === undefined ? undefined : await sagas.load(orderId);
  if (state?.order.globalId !== orderGlobalId) throw new AppError('NOT_FOUND_ORDER');
  return state;
}

const isDone = (journal: readonly JournalEntry[], kind: DecisionKind): boolean => {
  const last = lastDecision(journal);
  return last?.details?.['decision'] === kind && resultIn(journal, last)?.outcome === 'Done';
};

/** Puts the decision on record and has the saga carry it out; undefined when another one was faster. */
async function takeDecision(
  deps: DecideOrderDeps,
  product: Product,
  rule: DecisionRule,
  seen: SagaState,
  decision: Decision,
): Promise<JournalEntry | undefined> {
  const { sagas, leases, engine } = deps;
  const { kind, operator, notes, requestId, approvedBy } = decision;
  if (!stepOfDecision(kind, rule, seen.order.status, seen.journal)) throw conflict(seen.order, rule);
  const delivered = await deliveredBy(deps, product, seen, decision);
  const leasedAt = performance.now();
  const { owner, leaseMs } = leases;
  const grant = await sagas.takeForOperator(seen.order, owner, leaseMs);
  if (!grant) return undefined;
  // Whoever drove it may have come further since: from here on nobody but this one does.
  const { order, journal } = (await sagas.load(seen.order.id)) ?? seen;
  const next = stepOfDecision(kind, rule, order.status, journal);
  if (next === undefined) {
    void engine.resume(grant, leasedAt, {});
    throw conflict(order, rule);
  }
  // On record with the decision, so that whoever carries it on names them to finance (spec §18.4).
  const decided = { decision: kind, operator, requestId, ...(approvedBy && { approvedBy }), notes };
  const intent = intentOf(journal, rule.step, { ...decided, ...delivered });
  const at = rule.from.includes(order.status) ? (rule.at ?? order.status) : order.status;
  const recorded = await sagas.advance({
    order,
    epoch: grant.epoch,
    to: checkMove(product.moves, order.status, at),
    entries: [intent, ...openAt(journal, next)],
    next: 'Hold',
    event: at === order.status ? undefined : eventOf(product.type, order, at),
  });
  deps.passCrashPoint('decision.record.after');
  if (!recorded) return undefined;
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

function conflict(order: Order, rule: DecisionRule): AppError {
  return new AppError('CONFLICT_ORDER_STATE', {
    message: `The order is ${order.status}; this decision is for orders that are ${rule.from.join(' or ')}, and only where it fits what was done of them.`,
    status: order.status,
  });
}

function notCarriedOut(order: Order, { details }: JournalEntry): AppError {
  const reason = typeof details?.['reason'] === 'string' ? ` ${details['reason']}` : '';
  return new AppError('CONFLICT_ORDER_STATE', {
    message: `The decision could not be carried out.${reason} The order needs another one.`,
    status: order.status,
  });
}
