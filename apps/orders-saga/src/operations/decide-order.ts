import type { ResolveOrderRequest } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { checkMove } from '../order/domain/moves';
import type { Order } from '../order/domain/order';
import { orderIdOf } from '../order/domain/order-id';
import { eventOf } from '../order/order-events';
import type { OrderRepository } from '../order/order.repository';
import { productOf } from '../products';
import type { Product, ProductDeps } from '../products/product';
import { intentOf } from '../saga/domain/journal';
import type { LeaseManager } from '../saga/lease-manager';
import type { RunningAttempts } from '../saga/running-attempts';
import type { SagaDriver } from '../saga/saga-engine';
import type { SagaRepository, SagaState } from '../saga/saga.repository';
import { decisionState, type DecisionKind, type DecisionRule, type OperatorCall } from './domain/decision';

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
 * cancelled order is returned as such, for it was cancelled at once.
 */
export async function decideOrder(deps: DecideOrderDeps, decision: Decision): Promise<Order> {
  const { kind, orderGlobalId } = decision;
  const until = performance.now() + deps.decisionWaitMs;
  let state = await load(deps, orderGlobalId);
  const product = productOf(state.order.product);
  if (kind === 'cancel' && product.cancelOrder) {
    await product.cancelOrder(deps, state.order, decision);
    return (await deps.orders.findById(state.order.id)) ?? state.order;
  }
  const rule = product.decisions[kind];
  if (!rule) throw new AppError('CONFLICT_ORDER_STATE');

  for (let isFirstLook = true, hasTried = false; ; isFirstLook = false) {
    if (!isFirstLook) state = await load(deps, orderGlobalId);
    const { order, journal } = state;
    const progress = decisionState(journal, kind, rule);
    if (progress === 'done' && !isFirstLook) return order;
    if (progress === 'none' || (progress === 'failed' && !hasTried)) {
      hasTried = await takeDecision(deps, product, rule, state, decision);
      continue;
    }
    if (progress !== 'open') throw conflict(order, rule);
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

/** Puts the decision on record and has the saga carry it out; false when another one was faster. */
async function takeDecision(
  { sagas, leases, engine, ...deps }: DecideOrderDeps,
  product: Product,
  rule: DecisionRule,
  { order, journal }: SagaState,
  { kind, operator, notes, requestId, resolution }: Decision,
): Promise<boolean> {
  if (order.status !== rule.from) throw conflict(order, rule);
  const delivery = kind === 'resolve-completed' && resolution ? product.vendor?.delivery : undefined;
  const delivered =
    delivery && resolution && (await delivery.noteResolution(deps, order, journal, resolution));
  const leasedAt = performance.now();
  const { owner, leaseMs } = leases;
  const grant = await sagas.takeForOperator({ id: order.id, status: rule.from }, rule.step, owner, leaseMs);
  if (!grant) return false;
  const details = { decision: kind, operator, notes, ...delivered };
  const recorded = await sagas.advance({
    order,
    epoch: grant.epoch,
    to: checkMove(product.moves, rule.from, rule.at),
    entries: [intentOf(journal, rule.step, details), intentOf(journal, rule.next)],
    next: 'Hold',
    event: rule.at === rule.from ? undefined : eventOf(product.type, order, rule.at),
  });
  if (!recorded) return false;
  void engine.resume(grant, leasedAt, { decidedBy: requestId });
  return true;
}

function conflict(order: Order, rule: DecisionRule): AppError {
  return new AppError('CONFLICT_ORDER_STATE', {
    message: `The order is ${order.status}; this decision is for orders that are ${rule.from} and not decided otherwise.`,
    status: order.status,
  });
}
