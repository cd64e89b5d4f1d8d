import {
  ProductType,
  type EsimProduct as EsimProductMessage,
  type GeoScope as GeoScopeMessage,
  type OrderServiceService,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import type { RpcHandlers } from '@reseller/rpc';
import type { EsimProduct } from '../products/esim/domain/esim-product';
import type { EsimProductRepository } from '../products/esim/esim-product.repository';
import type { GeoScope } from '../geo-scope/domain/geo-scope';
import type { GeoScopeRepository } from '../geo-scope/geo-scope.repository';
import { fromProductType, fromStatus, toOrderMessage, toSummary } from './order.mapper';
import type { ScentOrderRepository } from '../products/scent/scent-order.repository';
import type { OrderRepository } from './order.repository';
import { scopeOf } from './order-scope';

/** OrderService over its repositories. */
export function orderHandlers({
  orders,
  geoScopes,
  esimProducts,
  scents,
}: {
  orders: OrderRepository;
  geoScopes: GeoScopeRepository;
  esimProducts: EsimProductRepository;
  scents: ScentOrderRepository;
}): RpcHandlers<typeof OrderServiceService> {
  return {
    async listOrders({ page, productType, status, fromAt, toAt, externalReference }, call) {
      const { partnerId, environment } = scopeOf(call);
      const narrow = { product: fromProductType(productType), status: fromStatus(status), fromAt, toAt };
      const own = { partnerId, environment };
      const list =
        externalReference === undefined
          ? await orders.list({ ...own, ...narrow }, page)
          : await orders.listByReference(own, externalReference, narrow, page);
      return { orders: list.orders.map(toSummary), page: list.page };
    },
    async getOrderByGlobalId({ orderGlobalId }, call) {
      const order = await orders.findByGlobalId(orderGlobalId, scopeOf(call));
      if (!order) throw new AppError('NOT_FOUND_ORDER');
      return { summary: toSummary(order), order: toOrderMessage(order, await scents.read(order)) };
    },
    async listGeoScopes() {
      return { geoScopes: (await geoScopes.list()).map(toGeoScopeMessage) };
    },
    async listEsimProducts({ page, geoScopeGlobalId }) {
      const list = await esimProducts.list(geoScopeGlobalId, page);
      return { products: list.products.map(toProductMessage), page: list.page };
    },
  };
}

function toProductMessage({ sku, ...product }: EsimProduct): EsimProductMessage {
  return { productSku: sku, ...product };
}

function toGeoScopeMessage(geoScope: GeoScope): GeoScopeMessage {
  const { globalId, name, country, currency, topup, sellsEsim } = geoScope;
  const products = [...(topup ? [ProductType.TOPUP] : []), ...(sellsEsim ? [ProductType.ESIM] : [])];
  return { globalId, name, country, currency, products, topup: topup ?? undefined };
}
