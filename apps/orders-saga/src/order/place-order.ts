import { AppError } from '@reseller/errors';
import { decimal } from '@reseller/money';
import type { CallContext, PartnerScope } from '@reseller/rpc';
import { v7 as uuid } from 'uuid';
import type { PlaceableProduct, PlaceRequest, ProductDeps } from '../products/product';
import { intentOf } from '../saga/domain/journal';
import { replayRequest, type ReplayRequestDeps } from './replay-request';
import type { CanonicalRequest, Order } from './domain/order';
import { orderGlobalId } from './domain/order-id';

/** What placing an order works with. */
export type PlaceOrderDeps = ProductDeps & ReplayRequestDeps;

/** A create of one product, as its handler has read it. */
export interface Placement<Request extends PlaceRequest> {
  readonly scope: PartnerScope;
  readonly request: Request;
  /** The body as values, for comparing repetitions; named as in the public body. */
  readonly values: CanonicalRequest;
  readonly call: CallContext;
}

/**
 * Places an order once for each reference (spec §4.2): the reference goes first, so that a repetition is answered
 * whatever the rules say by now; then the wallet, the product's rules, and one statement that makes the order. Returns it
 * as it stands once its saga has ended or has to wait. Until it is on record it is given up with its caller; from then on it goes on.
 */
export async function placeOrder<Request extends PlaceRequest>(
  deps: PlaceOrderDeps,
  product: PlaceableProduct<Request>,
  { scope, request, values, call }: Placement<Request>,
): Promise<Order> {
  const { externalReference } = request;
  const { requestId, deadlineAt } = call;
  const until = performance.now() + deps.duplicateWaitMs;
  for (;;) {
    const first = await deps.orders.findByReference(scope, product.name, externalReference, call);
    if (first) {
      const response = await replayRequest(deps, product, first, values, until);
      if (response) return response;
      // The first attempt was refused meanwhile and left nothing: this one takes its place.
      continue;
    }

    const leasedAt = performance.now();
    // The wallet first: that there is none (404) goes before the rules (422, spec §1.9).
    const { availableBalance, displayRate } = await deps.funds.check(scope, call);
    const admission = await product.admit(deps, scope, request);
    if (decimal(availableBalance).lessThan(admission.amount)) {
      throw new AppError('BUSINESS_INSUFFICIENT_BALANCE');
    }

    deps.passCrashPoint('order.create.before');
    const id = uuid();
    const order = await deps.sagas.begin(
      {
        ...admission,
        ...scope,
        id,
        globalId: orderGlobalId(product.idPrefix, id),
        sagaId: request.sagaId ?? uuid(),
        product: product.name,
        externalReference,
        request: values,
        displayRate,
        firstStep: product.plan.first,
      },
      { signal: call.signal, deadlineAt: latestStart(call) },
    );
    // Another attempt has taken the reference in the meantime.
    if (!order) continue;
    deps.passCrashPoint('order.create.after');

    const end = await deps.engine.runNew(order, intentOf([], product.plan.first), leasedAt, {
      requestId,
      deadlineAt,
    });
    if (end.kind === 'withdrawn') throw end.error;
    if (end.kind === 'finished' || end.kind === 'parked') return end.order;
    const latest = end.kind === 'suspended' ? end.order : await deps.orders.findById(id);
    // It may return Processing, never Pending: the money is not even set aside (spec §4.7).
    if (!latest || latest.status === 'Pending') throw new AppError('SERVICE_UNAVAILABLE');
    return latest;
  }
}

// What the last answer of another service and the last write may take: with less time than this left nothing is begun (spec §14.2).
const LEAST_MS = 2_000;

const latestStart = ({ deadlineAt }: CallContext): number | undefined => deadlineAt && deadlineAt - LEAST_MS;
