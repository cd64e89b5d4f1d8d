import type { TopupOrderServiceService } from '@reseller/contracts';
import type { RpcHandlers } from '@reseller/rpc';
import { toTopupOrder } from '../../order/order.mapper';
import type { OrderRepository } from '../../order/order.repository';
import { scopeOf } from '../../order/order-scope';
import { ProductOrders } from '../../order/read-orders';
import { createTopupOrder, type CreateTopupOrderParts } from './create-topup-order';

/** TopupOrderService over its use cases. */
export function topupOrderHandlers(
  parts: CreateTopupOrderParts & { orders: OrderRepository },
): RpcHandlers<typeof TopupOrderServiceService> {
  const own = new ProductOrders(parts.orders, {
    product: 'Topup',
    notFound: 'NOT_FOUND_TOPUP_ORDER',
    toMessage: toTopupOrder,
  });
  return {
    async createTopupOrder(request, call) {
      return { order: toTopupOrder(await createTopupOrder(parts, scopeOf(call), request, call)) };
    },
    getTopupOrder: (request, call) => own.get(request, call),
    getTopupOrderByReference: (request, call) => own.getByReference(request, call),
    listTopupOrders: (request, call) => own.list(request, call),
  };
}
