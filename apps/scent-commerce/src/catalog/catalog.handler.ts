import { CatalogServiceService } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { defineRpc, requirePartner, type CallContext, type RpcService } from '@reseller/rpc';
import type { PartnerProfileRepository } from '../partner/partner-profile.repository';
import type { DisplayRates } from '../display-rate/display-rates';
import { requireUuids } from '../uuid';
import { buyerOf } from './buyer';
import { fromAvailability, toAvailability, toScentMessage, toVariantMessage } from './catalog-message';
import { shownQuantity } from './domain/availability';
import type { Buyer } from './domain/variant';
import type { ScentRepository } from './scent.repository';
import type { VariantRepository } from './variant.repository';

/** What the catalog works with. */
export interface CatalogParts {
  scents: ScentRepository;
  variants: VariantRepository;
  profiles: PartnerProfileRepository;
  rates: DisplayRates;
}

/** Serves reseller.scent.v1.CatalogService. */
export function createCatalogService({ scents, variants, profiles, rates }: CatalogParts): RpcService {
  /** Reads for the caller while the live rate is on its way. */
  const readFor = async <T>(call: CallContext, read: (buyer: Buyer) => Promise<T>) => {
    const buyer = await buyerOf(profiles, call);
    const [answer, displayRate] = await Promise.all([read(buyer), rates.find(buyer.displayCurrency, call)]);
    return { answer, displayRate, now: new Date() };
  };

  return defineRpc(CatalogServiceService, {
    listBrands: ({ page }) => scents.listBrands(page),

    async getBrand({ brandId }) {
      requireUuids({ brandId });
      const brand = await scents.findBrand(brandId);
      if (!brand) throw new AppError('NOT_FOUND_BRAND');
      return { brand };
    },

    async listScents({ page, brandId, search }, call) {
      requirePartner(call);
      requireUuids({ brandId });
      const { answer, displayRate, now } = await readFor(call, async (buyer) => {
        const list = await scents.list({ brandId, search }, page);
        const ids = list.scents.map(({ id }) => id);
        return { list, variants: await variants.listOfScents(ids, buyer) };
      });
      return {
        scents: answer.list.scents.map((scent) => toScentMessage(scent, answer.variants, now)),
        page: answer.list.page,
        displayRate,
      };
    },

    async getScent({ scentId }, call) {
      requirePartner(call);
      requireUuids({ scentId });
      const { answer, displayRate, now } = await readFor(call, (buyer) =>
        Promise.all([scents.find(scentId), variants.listOfScents([scentId], buyer)]),
      );
      const [scent, ofScent] = answer;
      if (!scent) throw new AppError('NOT_FOUND_SCENT');
      return { scent: toScentMessage(scent, ofScent, now), displayRate };
    },

    async listVariants({ page, scentId, brandId, availability, sku }, call) {
      requirePartner(call);
      requireUuids({ scentId, brandId });
      const filter = { scentId, brandId, availability: fromAvailability(availability), sku };
      const { answer, displayRate, now } = await readFor(call, (buyer) => variants.list(filter, buyer, page));
      return {
        variants: answer.variants.map((variant) => toVariantMessage(variant, now)),
        page: answer.page,
        displayRate,
      };
    },

    async getVariant({ variantId }, call) {
      requirePartner(call);
      requireUuids({ variantId });
      const { answer, displayRate, now } = await readFor(call, (buyer) => variants.find(variantId, buyer));
      if (!answer) throw new AppError('NOT_FOUND_VARIANT');
      return { variant: toVariantMessage(answer, now), displayRate };
    },

    async getVariantAvailability({ variantId }) {
      requireUuids({ variantId });
      const stock = await variants.findStock(variantId);
      if (!stock) throw new AppError('NOT_FOUND_VARIANT');
      return {
        variantId: stock.id,
        availability: toAvailability(stock.available),
        availableQuantity: shownQuantity(stock.available),
      };
    },
  });
}
