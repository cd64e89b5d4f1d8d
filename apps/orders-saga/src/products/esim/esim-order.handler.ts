import type { EsimOrderServiceService } from '@reseller/contracts';
import type { RpcHandlers } from '@reseller/rpc';
import { toEsimOrder } from '../../order/order.mapper';
import type { OrderRepository } from '../../order/order.repository';
import { scopeOf } from '../../order/order-scope';
import { ProductOrders } from '../../order/read-orders';
import { createEsimOrder, type CreateEsimOrderParts } from './create-esim-order';

/** EsimOrderService over its use cases. */
export function esimOrderHandlers(
  parts: CreateEsimOrderParts & { orders: OrderRepository },
): RpcHandlers<typeof EsimOrderServiceService> {
  const own = new ProductOrders(parts.orders, {
    product: 'Esim',
    notFound: 'NOT_FOUND_ESIM_ORDER',
    toMessage: toEsimOrder,
  });
  return {
    async createEsimOrder(request, call) {
      return { order: toEsimOrder(await createEsimOrder(parts, scopeOf(call), request, call)) };
    },
    getEsimOrder: (request, call) => own.get(request, call),
    getEsimOrderByReference: (request, call) => own.getByReference(request, call),
    listEsimOrders: (request, call) => own.list(request, call),
  };
}
