import { AppError } from '@reseller/errors';
import { comparableRequest, type FingerprintKeys } from '../erasure/domain/erased-request';
import { mismatchedFields, type CanonicalRequest, type Order } from '../order/domain/order';
import type { OrderRepository } from '../order/order.repository';
import type { LeaseManager } from '../saga/lease-manager';
import type { RunningAttempts } from '../saga/running-attempts';
import type { SagaDriver } from '../saga/saga-engine';
import type { SagaRepository } from '../saga/saga.repository';
import type { Product } from './product';

/** What replaying a repeated create needs. */
export interface ReplayRequestDeps {
  readonly orders: OrderRepository;
  readonly sagas: SagaRepository;
  readonly engine: SagaDriver;
  readonly leases: LeaseManager;
  readonly running: RunningAttempts;
  /** How long a repetition waits for a running attempt, in milliseconds. */
  readonly duplicateWaitMs: number;
  /** Recognise the body of an order whose recipient was erased; undefined where nothing can be erased. */
  readonly recipientKeys: FingerprintKeys | undefined;
}

// Between two looks at an attempt that another instance drives.
const LOOK_AGAIN_MS = 100;

/**
 * The response to a create whose reference an order has (spec §4.2): that order once it is not underway any more, waited for
 * until `until` by performance.now(); undefined when the first attempt was withdrawn.
 */
export async function replayRequest(
  deps: ReplayRequestDeps,
  product: Product,
  first: Order,
  values: CanonicalRequest,
  until: number,
): Promise<Order | undefined> {
  const stored = comparableRequest(first.request, values, first.globalId, deps.recipientKeys);
  const fields = mismatchedFields(stored, values);
  if (fields.length > 0) {
    throw new AppError('CONFLICT_DUPLICATE_EXTERNAL_REFERENCE', { mismatchedFields: fields });
  }
  for (let order: Order | undefined = first; order; order = await deps.orders.findById(first.id)) {
    if (!product.underway.includes(order.status)) return order;
    const details = { orderId: order.id };
    if (order.status === 'InterventionRequired') {
      throw new AppError('CONFLICT_ORDER_INTERVENTION_REQUIRED', details);
    }
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw new AppError('CONFLICT_ORDER_IN_PROGRESS', { ...details, retryAfterSeconds: 2 });
    await carryOnWhenLapsed(deps, order);
    await deps.running.waitForEnd(order.id, Math.min(leftMs, LOOK_AGAIN_MS));
  }
  return undefined;
}

// Whoever drove it is gone: this process drives it on, and the repetition waits for that like for any attempt.
async function carryOnWhenLapsed(
  { sagas, engine, leases, running }: ReplayRequestDeps,
  order: Order,
): Promise<void> {
  if (running.has(order.id)) return;
  const leasedAt = performance.now();
  const grant = await sagas.takeLapsed(order.id, leases.owner, leases.leaseMs);
  if (grant) void engine.resume(grant, leasedAt, {});
}
