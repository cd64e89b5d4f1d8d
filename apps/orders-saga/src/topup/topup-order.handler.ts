import type { TopupOrderServiceService } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import type { RpcHandlers } from '@reseller/rpc';
import type { Order } from '../order/domain/order';
import { fromStatus, toTopupOrder } from '../order/order-message';
import type { OrderRepository } from '../order/order.repository';
import { scopeOf } from '../order/order-scope';
import { createTopupOrder, type CreateTopupOrderParts } from './create-topup-order';

/** TopupOrderService over its use cases. */
export function topupOrderHandlers(
  parts: CreateTopupOrderParts & { orders: OrderRepository },
): RpcHandlers<typeof TopupOrderServiceService> {
  const { orders } = parts;
  return {
    async createTopupOrder(request, call) {
      const order = await createTopupOrder(parts, scopeOf(call), request, call);
      return { order: toTopupOrder(order) };
    },
    async getTopupOrder({ orderId }, call) {
      return { order: found(await orders.findOwn(scopeOf(call), 'Topup', orderId)) };
    },
    async getTopupOrderByReference({ externalReference }, call) {
      return { order: found(await orders.findByReference(scopeOf(call), 'Topup', externalReference)) };
    },
    async listTopupOrders({ page, status, fromAt, toAt }, call) {
      const { partnerId, environment } = scopeOf(call);
      const own = { partnerId, environment, product: 'Topup' as const };
      const list = await orders.list({ ...own, status: fromStatus(status), fromAt, toAt }, page);
      return { orders: list.orders.map(toTopupOrder), page: list.page };
    },
  };
}

function found(order: Order | undefined): ReturnType<typeof toTopupOrder> {
  if (!order) throw new AppError('NOT_FOUND_TOPUP_ORDER');
  return toTopupOrder(order);
}
