import type { ScentOrder, ScentOrderServiceService } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import type { RpcHandlers } from '@reseller/rpc';
import type { Order } from '../../order/domain/order';
import { fromStatus } from '../../order/order.mapper';
import type { OrderRepository } from '../../order/order.repository';
import { scopeOf } from '../../order/order-scope';
import { createScentOrder, type CreateScentOrderParts } from './create-scent-order';
import { toScentOrder } from './scent-order.mapper';
import type { ScentOrderRepository } from './scent-order.repository';

/** ScentOrderService over its use cases. */
export function scentOrderHandlers(
  parts: CreateScentOrderParts & { orders: OrderRepository; scents: ScentOrderRepository },
): RpcHandlers<typeof ScentOrderServiceService> {
  const { orders, scents } = parts;
  const answer = async (order: Order | undefined): Promise<{ order: ScentOrder }> => {
    if (!order) throw new AppError('NOT_FOUND_SCENT_ORDER');
    return { order: toScentOrder(order, await scents.read(order)) };
  };
  return {
    async createScentOrder(request, call) {
      return answer(await createScentOrder(parts, scopeOf(call), request, call));
    },
    async getScentOrder({ orderId }, call) {
      return answer(await orders.findOwn(scopeOf(call), 'Scent', orderId));
    },
    async getScentOrderByReference({ externalReference }, call) {
      return answer(await orders.findByReference(scopeOf(call), 'Scent', externalReference));
    },
    async listScentOrders({ page, status, customerRef, fromAt, toAt }, call) {
      const scope = scopeOf(call);
      const narrowed = { status: fromStatus(status), fromAt, toAt };
      const { partnerId, environment } = scope;
      const list =
        customerRef === undefined
          ? await orders.list({ partnerId, environment, product: 'Scent', ...narrowed }, page)
          : await scents.listOfCustomer(scope, { customerRef, ...narrowed }, page);
      const details = await scents.readMany(list.orders.map(({ id }) => id));
      return {
        orders: list.orders.map((order) => toScentOrder(order, details.get(order.id))),
        page: list.page,
      };
    },
  };
}
