import type { EsimProduct as EsimProductMessage, OrderServiceService } from '@reseller/contracts';
import type { RpcHandlers } from '@reseller/rpc';
import type { EsimProduct } from './domain/esim-product';
import type { EsimProductRepository } from './esim-product.repository';

/** What showing eSIM plans works with. */
export interface EsimProductsDeps {
  esimProducts: EsimProductRepository;
}

/** The part of OrderService that shows the eSIM plans. */
export function createEsimProductHandlers(
  deps: EsimProductsDeps,
): Pick<RpcHandlers<typeof OrderServiceService>, 'listEsimProducts'> {
  return {
    async listEsimProducts({ page, geoScopeGlobalId }) {
      const list = await deps.esimProducts.list(geoScopeGlobalId, page);
      return { products: list.products.map(toProductMessage), page: list.page };
    },
  };
}

function toProductMessage({ sku, ...product }: EsimProduct): EsimProductMessage {
  return { productSku: sku, ...product };
}
