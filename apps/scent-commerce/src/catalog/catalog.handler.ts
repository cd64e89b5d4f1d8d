import type { CatalogServiceService } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { partnerScopeOf, requirePartner, type RpcHandlers } from '@reseller/rpc';
import { checkIds } from '../check-ids';
import type { DisplayRates } from '../display-rate/display-rates';
import { buyerOf } from './buyer';
import { fromAvailability, toAvailability, toScentMessage, toVariantMessage } from './catalog.mapper';
import { availableQuantityOf } from './domain/availability';
import { listScents } from './list-scents';
import type { ScentRepository } from './scent.repository';
import type { VariantRepository } from './variant.repository';

/** What the catalog works with. */
interface CatalogDeps {
  scents: ScentRepository;
  variants: VariantRepository;
  profiles: Parameters<typeof buyerOf>[0];
  rates: DisplayRates;
}

/** Serves reseller.scent.v1.CatalogService. */
export function createCatalogHandlers(deps: CatalogDeps): RpcHandlers<typeof CatalogServiceService> {
  const { scents, variants, profiles, rates } = deps;
  return {
    listBrands: ({ page }) => scents.listBrands(page),

    async getBrand({ brandId }) {
      checkIds({ brandId });
      const brand = await scents.findBrand(brandId);
      if (!brand) throw new AppError('NOT_FOUND_BRAND');
      return { brand };
    },

    async listScents({ page, brandId, search }, call) {
      requirePartner(call);
      checkIds({ brandId });
      const buyer = await buyerOf(profiles, call);
      const [list, displayRate] = await Promise.all([
        listScents(deps, buyer, { filter: { brandId, search }, page }),
        rates.find(buyer.displayCurrency, call),
      ]);
      const now = new Date();
      const messages = list.scents.map((scent) => toScentMessage(scent, list.variants, now));
      return { scents: messages, page: list.page, displayRate };
    },

    async getScent({ scentId }, call) {
      requirePartner(call);
      checkIds({ scentId });
      const buyer = await buyerOf(profiles, call);
      const [scent, ofScent, displayRate] = await Promise.all([
        scents.find(scentId),
        variants.listOfScents([scentId], buyer),
        rates.find(buyer.displayCurrency, call),
      ]);
      if (!scent) throw new AppError('NOT_FOUND_SCENT');
      return { scent: toScentMessage(scent, ofScent, new Date()), displayRate };
    },

    async listVariants({ page, scentId, brandId, availability, sku }, call) {
      requirePartner(call);
      checkIds({ scentId, brandId });
      const filter = { scentId, brandId, availability: fromAvailability(availability), sku };
      const buyer = await buyerOf(profiles, call);
      const [list, displayRate] = await Promise.all([
        variants.list(filter, buyer, page),
        rates.find(buyer.displayCurrency, call),
      ]);
      const now = new Date();
      const messages = list.variants.map((variant) => toVariantMessage(variant, now));
      return { variants: messages, page: list.page, displayRate };
    },

    async getVariant({ variantId }, call) {
      requirePartner(call);
      checkIds({ variantId });
      const buyer = await buyerOf(profiles, call);
      const [variant, displayRate] = await Promise.all([
        variants.find(variantId, buyer),
        rates.find(buyer.displayCurrency, call),
      ]);
      if (!variant) throw new AppError('NOT_FOUND_VARIANT');
      return { variant: toVariantMessage(variant, new Date()), displayRate };
    },

    async getVariantAvailability({ variantId }, call) {
      const { environment } = partnerScopeOf(call);
      checkIds({ variantId });
      const stock = await variants.findStock(variantId, environment);
      if (!stock) throw new AppError('NOT_FOUND_VARIANT');
      return {
        variantId: stock.id,
        availability: toAvailability(stock.available),
        availableQuantity: availableQuantityOf(stock.available),
      };
    },
  };
}
