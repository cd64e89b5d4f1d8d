import type { ScentOrder, ScentOrderServiceService } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import type { Order } from '../../order/domain/order';
import { fromStatus } from '../../order/order.mapper';
import { placeOrder, type PlaceOrderDeps } from '../place-order';
import { justCheckedOut } from './domain/scent-order';
import { toScentValues } from './domain/scent-request';
import { toScentOrder } from './scent-order.mapper';
import { scent } from './scent.product';

/** ScentOrderService over its use cases. */
export function createScentOrderHandlers(deps: PlaceOrderDeps): RpcHandlers<typeof ScentOrderServiceService> {
  const { orders, scents } = deps;
  const found = async (order: Order | undefined): Promise<{ order: ScentOrder }> => {
    if (!order) throw new AppError('NOT_FOUND_SCENT_ORDER');
    return { order: toScentOrder(order, justCheckedOut(order) ?? (await scents.find(order.id))) };
  };
  return {
    async createScentOrder(request, call) {
      const placement = { scope: partnerScopeOf(call), request, values: toScentValues(request), call };
      const { order, isNew } = await placeOrder(deps, scent, placement);
      return { ...(await found(order)), isNew };
    },
    async getScentOrder({ orderId }, call) {
      return found(await orders.findOwn(partnerScopeOf(call), scent.name, orderId));
    },
    async getScentOrderByReference({ externalReference }, call) {
      const scope = partnerScopeOf(call);
      const order = await orders.findByReference(scope, scent.name, externalReference);
      // By its reference it is found before it is visible, too.
      return found(order?.status === 'Pending' ? await orders.findOwn(scope, scent.name, order.id) : order);
    },
    async listScentOrders({ page, status, customerRef, fromAt, toAt }, call) {
      const scope = partnerScopeOf(call);
      const { partnerId, environment } = scope;
      const filter = { status: fromStatus(status), fromAt, toAt };
      const list =
        customerRef === undefined
          ? await orders.list({ partnerId, environment, product: scent.name, ...filter }, page)
          : await scents.listOfCustomer(scope, { customerRef, ...filter }, page);
      const details = await scents.readMany(list.orders.map(({ id }) => id));
      return {
        orders: list.orders.map((order) => toScentOrder(order, details.get(order.id))),
        page: list.page,
      };
    },
  };
}
