import type { CreateTopupOrderRequest, TopupOrderServiceService } from '@reseller/contracts';
import { decimal, toFixedString } from '@reseller/money';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import { placeOrder, type PlaceOrderDeps } from '../place-order';
import type { CanonicalRequest } from '../../order/domain/order';
import { OrderReader } from '../../order/order-reader';
import { toTopupOrder } from './topup-order.mapper';
import { topup } from './topup.product';

/** TopupOrderService over its use cases. */
export function createTopupOrderHandlers(deps: PlaceOrderDeps): RpcHandlers<typeof TopupOrderServiceService> {
  const reader = new OrderReader(deps.orders, topup.name, 'NOT_FOUND_TOPUP_ORDER', toTopupOrder);
  return {
    async createTopupOrder(request, call) {
      const placement = { scope: partnerScopeOf(call), request, values: toValues(request), call };
      const { order, isNew } = await placeOrder(deps, topup, placement);
      return { order: toTopupOrder(order), isNew };
    },
    getTopupOrder: (request, call) => reader.get(request, call),
    getTopupOrderByReference: (request, call) => reader.getByReference(request, call),
    listTopupOrders: (request, call) => reader.list(request, call),
  };
}

// Named as in the public body, since mismatchedFields shows these names to partners.
function toValues(request: CreateTopupOrderRequest): CanonicalRequest {
  const { geoScopeGlobalId, amount, phoneNumber, sagaId = null } = request;
  return { geoScopeGlobalId, amount: toFixedString(decimal(amount), 2), phoneNumber, sagaId };
}
