import type { TopupOrderServiceService } from '@reseller/contracts';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import { placeOrder, type PlaceOrderDeps } from '../../order/place-order';
import { OrderReader } from '../../order/order-reader';
import { toTopupOrder } from './topup-order.mapper';
import { topup } from './topup.product';

/** TopupOrderService over its use cases. */
export function createTopupOrderHandlers(deps: PlaceOrderDeps): RpcHandlers<typeof TopupOrderServiceService> {
  const reader = new OrderReader(deps.orders, topup.name, 'NOT_FOUND_TOPUP_ORDER', toTopupOrder);
  return {
    async createTopupOrder(request, call) {
      return { order: toTopupOrder(await placeOrder(deps, topup, partnerScopeOf(call), request, call)) };
    },
    getTopupOrder: (request, call) => reader.get(request, call),
    getTopupOrderByReference: (request, call) => reader.getByReference(request, call),
    listTopupOrders: (request, call) => reader.list(request, call),
  };
}
