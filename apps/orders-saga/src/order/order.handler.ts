import {
  FulfillmentGroupStatus,
  type GeoScope as GeoScopeMessage,
  type OrderServiceService,
  type OrderStatusChange,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import type { GeoScope } from '../geo-scope/domain/geo-scope';
import { productOf, PRODUCTS } from '../products';
import type { ProductDeps } from '../products/product';
import { historyOf } from './domain/history';
import type { Order } from './domain/order';
import type { HistoryRepository } from './history.repository';
import { fromStatus, toStatus, toSummary } from './order.mapper';
import type { OrderRepository } from './order.repository';

/** What serving orders of all products works with. */
export type OrderHandlersDeps = ProductDeps & { orders: OrderRepository; history: HistoryRepository };

/** The part of OrderService that is of no single product. */
export function createOrderHandlers(
  deps: OrderHandlersDeps,
): Omit<RpcHandlers<typeof OrderServiceService>, 'listEsimProducts'> {
  const { orders, geoScopes } = deps;
  return {
    async listOrders({ page, productType, status, fromAt, toAt, externalReference }, call) {
      const { partnerId, environment } = partnerScopeOf(call);
      const scope = { partnerId, environment };
      const product = PRODUCTS.find(({ type }) => type === productType)?.name;
      const filter = { product, status: fromStatus(status), fromAt, toAt };
      const list =
        externalReference === undefined
          ? await orders.list({ ...scope, ...filter }, page)
          : await orders.listByReference(scope, externalReference, filter, page);
      return {
        orders: list.orders.map((order) => toSummary(productOf(order.product).type, order)),
        page: list.page,
      };
    },
    async getOrderByGlobalId({ orderGlobalId }, call) {
      const order = await orders.findByGlobalId(orderGlobalId, partnerScopeOf(call));
      if (!order) throw new AppError('NOT_FOUND_ORDER');
      const product = productOf(order.product);
      return { summary: toSummary(product.type, order), order: await product.toMessage(deps, order) };
    },
    async getOrderHistory({ orderGlobalId }, call) {
      const order = await orders.findByGlobalId(orderGlobalId, partnerScopeOf(call));
      if (!order) throw new AppError('NOT_FOUND_ORDER');
      return { changes: await readHistory(deps, order) };
    },
    async listGeoScopes() {
      return { geoScopes: (await geoScopes.list()).map(toGeoScopeMessage) };
    },
  };
}

async function readHistory(
  deps: ProductDeps & { history: HistoryRepository },
  order: Order,
): Promise<OrderStatusChange[]> {
  const [logged, parts] = await Promise.all([
    deps.history.list(order.id),
    productOf(order.product).partChanges?.(deps, order),
  ]);
  const own = historyOf(order, logged).map(({ occurredAt, status }) => ({
    occurredAt,
    status: toStatus(status),
    fulfillmentGroupId: undefined,
    groupStatus: FulfillmentGroupStatus.UNSPECIFIED,
  }));
  // A stable sort: what was written in the same moment stays in its order, a group before its order.
  return [...(parts ?? []), ...own].sort((a, b) => Number(a.occurredAt) - Number(b.occurredAt));
}

function toGeoScopeMessage(geoScope: GeoScope): GeoScopeMessage {
  const { globalId, name, country, currency, topup } = geoScope;
  const products = PRODUCTS.filter(({ vendor }) => vendor?.isSoldIn(geoScope)).map(({ type }) => type);
  return { globalId, name, country, currency, products, topup: topup ?? undefined };
}
