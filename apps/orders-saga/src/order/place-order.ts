import { AppError } from '@reseller/errors';
import { decimal } from '@reseller/money';
import type { CallContext } from '@reseller/rpc';
import { v7 as uuid } from 'uuid';
import type { PassCrashPoint } from '../crash-points';
import type { Funds } from '../clients/finance/funds';
import type { LeaseKeeper } from '../saga/lease-keeper';
import { intentOf } from '../saga/domain/journal';
import type { RunningAttempts } from '../saga/running-attempts';
import type { SagaEngine } from '../saga/saga-engine';
import type { RunEnd } from '../saga/saga-record';
import type { SagaPlan } from '../saga/saga-plan';
import type { NewOrder, SagaRepository } from '../saga/saga.repository';
import { isFinal, mismatchedFields, type CanonicalRequest, type Order, type Product } from './domain/order';
import { orderGlobalId } from './domain/order-id';
import type { OrderRepository } from './order.repository';
import type { OrderScope } from './order-scope';

/** What placing an order works with. */
export interface PlaceOrderParts {
  readonly orders: OrderRepository;
  readonly sagas: SagaRepository;
  readonly engine: SagaEngine;
  readonly leases: LeaseKeeper;
  readonly running: RunningAttempts;
  readonly funds: Funds;
  readonly passCrashPoint: PassCrashPoint;
  /** How long a duplicate waits for a running attempt, in milliseconds. */
  readonly duplicateWaitMs: number;
}

/** What a product knows of an order that is to be placed. */
export interface OrderIntent {
  readonly scope: OrderScope;
  readonly product: Product;
  readonly externalReference: string;
  readonly request: CanonicalRequest;
  readonly sagaId: string | undefined;
  readonly plan: SagaPlan;
  readonly call: CallContext;
  /** The product's own rules, asked only when the reference is new; throws their codes. */
  readonly admit: () => Promise<AdmittedOrder>;
}

/** What the rules add to an order. */
export type AdmittedOrder = Pick<
  NewOrder,
  'geoScopeGlobalId' | 'amount' | 'currency' | 'phoneNumber' | 'esim' | 'vendorName'
>;

// Between two looks at an attempt that another instance drives.
const LOOK_AGAIN_MS = 100;

/**
 * Places an order once for each reference (spec §4.2): the reference goes first, so that a repetition is answered
 * whatever the rules say by now; then the wallet, the rules, and one statement that makes the order.
 */
export async function placeOrder(parts: PlaceOrderParts, intent: OrderIntent): Promise<Order> {
  const until = performance.now() + parts.duplicateWaitMs;
  for (;;) {
    const first = await parts.orders.findByReference(intent.scope, intent.product, intent.externalReference);
    if (first) {
      const answer = await answerDuplicate(parts, intent, first, until);
      if (answer) return answer;
      // The first attempt was refused meanwhile and left nothing: this one takes its place.
      continue;
    }
    const askedAt = performance.now();
    const order = await make(parts, intent);
    if (!order) continue;
    parts.passCrashPoint('order.create.after');
    const firstStep = intentOf([], intent.plan.first);
    return answerFirst(parts, await parts.engine.runNew(order, firstStep, askedAt, intent.call), order);
  }
}

async function make(parts: PlaceOrderParts, intent: OrderIntent): Promise<Order | undefined> {
  // The wallet first: that there is none (404) goes before the rules (422, spec §1.9).
  const funds = await parts.funds.check(intent.scope, intent.call);
  const admitted = await intent.admit();
  if (isLess(funds.availableBalance, admitted.amount)) throw new AppError('BUSINESS_INSUFFICIENT_BALANCE');
  parts.passCrashPoint('order.create.before');
  const id = uuid();
  const order: NewOrder = {
    ...admitted,
    id,
    globalId: orderGlobalId(intent.product, id),
    sagaId: intent.sagaId ?? uuid(),
    scope: intent.scope,
    product: intent.product,
    externalReference: intent.externalReference,
    request: intent.request,
    displayRate: funds.displayRate,
    firstStep: intent.plan.first,
  };
  return parts.sagas.begin(order);
}

/** The answer to a repetition; undefined when the first attempt was withdrawn. */
async function answerDuplicate(
  parts: PlaceOrderParts,
  intent: OrderIntent,
  first: Order,
  until: number,
): Promise<Order | undefined> {
  const fields = mismatchedFields(first.request, intent.request);
  if (fields.length > 0) {
    throw new AppError('CONFLICT_DUPLICATE_EXTERNAL_REFERENCE', { mismatchedFields: fields });
  }
  for (let order: Order | undefined = first; order; order = await parts.orders.findById(first.id)) {
    if (isFinal(order)) return order;
    const details = { orderId: order.id };
    if (order.status === 'InterventionRequired') {
      throw new AppError('CONFLICT_ORDER_INTERVENTION_REQUIRED', details);
    }
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw new AppError('CONFLICT_ORDER_IN_PROGRESS', { ...details, retryAfterSeconds: 2 });
    await carryOnWhenLapsed(parts, intent, order);
    await parts.running.waitForEnd(order.id, Math.min(leftMs, LOOK_AGAIN_MS));
  }
  return undefined;
}

// Whoever drove it is gone: this process drives it on, and the repetition waits for that like for any attempt.
async function carryOnWhenLapsed(parts: PlaceOrderParts, intent: OrderIntent, order: Order): Promise<void> {
  if (parts.running.has(order.id)) return;
  const askedAt = performance.now();
  const grant = await parts.sagas.takeLapsed(order.id, parts.leases.owner, parts.leases.leaseMs);
  if (grant) void parts.engine.resumeInBackground(grant, askedAt, {});
}

async function answerFirst(parts: PlaceOrderParts, end: RunEnd, order: Order): Promise<Order> {
  switch (end.kind) {
    case 'ended':
      return end.order;
    case 'let-go':
      return orUnavailable(end.order);
    case 'withdrawn':
      throw end.error;
    case 'fenced':
      return orUnavailable(await parts.orders.findById(order.id));
  }
}

// A first attempt may answer Processing, never Pending: the money is not even set aside (spec §4.7).
function orUnavailable(order: Order | undefined): Order {
  if (order && order.status !== 'Pending') return order;
  throw new AppError('SERVICE_UNAVAILABLE');
}

function isLess(balance: string, amount: string): boolean {
  return decimal(balance).lessThan(amount);
}
