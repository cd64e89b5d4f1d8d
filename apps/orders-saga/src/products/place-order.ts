import { AppError, isAppError } from '@reseller/errors';
import { decimal } from '@reseller/money';
import type { CallContext, PartnerScope } from '@reseller/rpc';
import { v7 as uuid } from 'uuid';
import { DisplayRateChanged } from '../order/domain/display-rate-changed';
import type { CanonicalRequest, Order } from '../order/domain/order';
import { orderGlobalId } from '../order/domain/order-id';
import { intentOf } from '../saga/domain/journal';
import type { PlaceableProduct, PlaceRequest, Product, ProductDeps } from './product';
import { replayRequest, type ReplayRequestDeps } from './replay-request';

/** What placing an order works with. */
export type PlaceOrderDeps = ProductDeps & ReplayRequestDeps;

/** A create of one product, as its handler has read it. */
interface Placement<Request extends PlaceRequest> {
  readonly scope: PartnerScope;
  readonly request: Request;
  /** The body as values, for comparing repetitions; named as in the public body. */
  readonly values: CanonicalRequest;
  readonly call: CallContext;
}

/** What a create came to. */
export interface Placed {
  readonly order: Order;
  /** Whether this call placed it; a repetition did not. */
  readonly isNew: boolean;
}

/**
 * Places an order once for each reference (spec §4.2): the reference goes first, so that a repetition is answered
 * whatever the rules say by now; then the wallet, the product's rules, and one statement that makes the order. Returns it
 * as it stands once its saga has ended or has to wait. Until it is on record it is given up with its caller; from then on it goes on.
 */
export async function placeOrder<Request extends PlaceRequest>(
  deps: PlaceOrderDeps,
  product: PlaceableProduct<Request>,
  placement: Placement<Request>,
): Promise<Placed> {
  const { scope, request, values, call } = placement;
  const until = performance.now() + deps.duplicateWaitMs;
  // While finance responds, the statement that makes the order sees a reference that is taken; then, and before anything is
  // refused, it is looked up: what refuses a repetition may be the money that the first attempt has just taken.
  let isUnseen = deps.funds.recall(scope) !== undefined;
  let refusal: AppError | undefined;
  for (;;) {
    const first = isUnseen
      ? undefined
      : await deps.orders.findByReference(scope, product.name, request.externalReference, call);
    if (first) {
      const response = await replayRequest(deps, product, first, values, until);
      if (response) return { order: response, isNew: false };
      // The first attempt was refused meanwhile and left nothing: this one takes its place.
      refusal = undefined;
      continue;
    }
    if (refusal) throw refusal;

    const leasedAt = performance.now();
    let order: Order | undefined;
    try {
      order = await beginOrder(deps, product, placement);
    } catch (error) {
      // Of the catalogue: refused, and nothing was sent.
      if (!isAppError(error)) throw error;
      refusal = error;
    }
    isUnseen = false;
    // Another attempt has taken the reference, or it is to be seen whether one has.
    if (!order) continue;
    const end = await driveOrder(deps, product, order, leasedAt, call);
    if (end) return { order: end, isNew: true };
  }
}

/** Makes the order if it may be; undefined when its reference is taken. */
async function beginOrder<Request extends PlaceRequest>(
  deps: PlaceOrderDeps,
  product: PlaceableProduct<Request>,
  { scope, request, values, call }: Placement<Request>,
): Promise<Order | undefined> {
  // The wallet first: that there is none (404) goes before the rules (422, spec §1.9). Of a wallet that is known to be there the
  // reservation is the check (KnownWallets).
  const known = deps.funds.recall(scope);
  const checked = known ? undefined : await deps.funds.check(scope, call);
  const displayRate = known ? known.displayRate : (checked?.displayRate ?? null);
  const admission = await product.admit(deps, scope, request);
  if (checked && decimal(checked.availableBalance).lessThan(admission.amount)) {
    throw new AppError('BUSINESS_INSUFFICIENT_BALANCE');
  }

  await deps.passCrashPoint('order.create.before');
  const id = uuid();
  const order = await deps.sagas.begin(
    {
      ...admission,
      ...scope,
      id,
      globalId: orderGlobalId(product.idPrefix, id),
      sagaId: request.sagaId ?? uuid(),
      product: product.name,
      externalReference: request.externalReference,
      request: values,
      displayRate,
      firstStep: product.plan.first,
    },
    { signal: call.signal, deadlineAt: latestStart(call) },
  );
  if (order) await deps.passCrashPoint('order.create.after');
  return order;
}

/** The order as its request returns it; undefined when it is to be made anew. */
async function driveOrder(
  deps: PlaceOrderDeps,
  product: Pick<Product, 'plan'>,
  order: Order,
  leasedAt: number,
  { requestId, deadlineAt }: CallContext,
): Promise<Order | undefined> {
  const firstStep = intentOf([], product.plan.first);
  const end = await deps.engine.runNew(order, firstStep, leasedAt, { requestId, deadlineAt });
  if (end.kind === 'withdrawn') {
    if (end.error instanceof DisplayRateChanged) return undefined;
    throw end.error;
  }
  if (end.kind === 'finished') return end.order;
  const latest = 'order' in end ? end.order : await deps.orders.findById(order.id);
  // It may return Processing, never Pending: the money is not even set aside (spec §4.7).
  if (!latest || latest.status === 'Pending') throw new AppError('SERVICE_UNAVAILABLE');
  return latest;
}

// What the last answer of another service and the last write may take: with less time than this left nothing is begun (spec §14.2).
const LEAST_MS = 2_000;

const latestStart = ({ deadlineAt }: CallContext): number | undefined => deadlineAt && deadlineAt - LEAST_MS;
