import type { CreateScentOrderRequest } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import type { Order } from '../../order/domain/order';
import type { OrderScope } from '../../order/order-scope';
import { placeOrder, type PlaceOrderParts } from '../../order/place-order';
import type { SagaPlan } from '../../saga/saga-plan';
import { toCanonical } from './domain/scent-request';

/** What checking a cart out works with. */
export interface CreateScentOrderParts {
  readonly place: PlaceOrderParts;
  readonly scentPlan: SagaPlan;
}

/**
 * Checks the partner's open cart out once for each external reference and answers the paid order (spec §7.1,
 * §7.2). What it costs is known once the shop has priced the cart, so the order begins without an amount.
 */
export function createScentOrder(
  { place, scentPlan }: CreateScentOrderParts,
  scope: OrderScope,
  asked: CreateScentOrderRequest,
  { requestId, deadlineAt }: CallContext,
): Promise<Order> {
  return placeOrder(place, {
    scope,
    product: 'Scent',
    externalReference: asked.externalReference,
    request: toCanonical(asked),
    sagaId: asked.sagaId,
    plan: scentPlan,
    call: { requestId, deadlineAt },
    admit: () =>
      Promise.resolve({
        geoScopeGlobalId: null,
        amount: '0.00',
        currency: 'SAR',
        phoneNumber: null,
        esim: null,
        vendorName: null,
      }),
  });
}
