import type { EsimOrderServiceService } from '@reseller/contracts';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import { OrderReader } from '../../order/order-reader';
import { placeOrder, type PlaceOrderDeps } from '../../order/place-order';
import { toEsimOrder } from './esim-order.mapper';
import { esim } from './esim.product';

/** EsimOrderService over its use cases. */
export function createEsimOrderHandlers(deps: PlaceOrderDeps): RpcHandlers<typeof EsimOrderServiceService> {
  const reader = new OrderReader(deps.orders, esim.name, 'NOT_FOUND_ESIM_ORDER', toEsimOrder);
  return {
    async createEsimOrder(request, call) {
      return { order: toEsimOrder(await placeOrder(deps, esim, partnerScopeOf(call), request, call)) };
    },
    getEsimOrder: (request, call) => reader.get(request, call),
    getEsimOrderByReference: (request, call) => reader.getByReference(request, call),
    listEsimOrders: (request, call) => reader.list(request, call),
  };
}
