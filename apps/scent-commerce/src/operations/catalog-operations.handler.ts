import {
  CatalogOperationsServiceService,
  type BrandTerms,
  type StockedVariant as StockedVariantMessage,
} from '@reseller/contracts';
import { AppError, validationFailed } from '@reseller/errors';
import { defineRpc, type RpcService } from '@reseller/rpc';
import { fromAvailability, toAvailability, toTaxClassification } from '../catalog/catalog-message';
import { requireUuids } from '../uuid';
import type { BrandTermsRecord, BrandTermsRepository } from './brand-terms.repository';
import { amountFault, changeVariant } from './change-variant';
import type { StockedVariantRecord, StockedVariantRepository } from './stocked-variant.repository';

const FRACTION = /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/;

/** What the operators' catalog works with. */
export interface CatalogOperationsParts {
  variants: StockedVariantRepository;
  brands: BrandTermsRepository;
}

/** Serves reseller.scent.v1.CatalogOperationsService. */
export function createCatalogOperationsService({ variants, brands }: CatalogOperationsParts): RpcService {
  return defineRpc(CatalogOperationsServiceService, {
    async listStockedVariants({ page, brandId, scentId, availability, isActive, search }) {
      requireUuids({ brandId, scentId });
      const filter = { brandId, scentId, availability: fromAvailability(availability), isActive, search };
      const list = await variants.list(filter, page);
      return { variants: list.variants.map((variant) => toMessage(variant)), page: list.page };
    },

    async getStockedVariant({ variantId }) {
      requireUuids({ variantId });
      const [variant, prices] = await Promise.all([
        variants.find(variantId),
        variants.listPartnerPrices(variantId),
      ]);
      if (!variant) throw new AppError('NOT_FOUND_VARIANT');
      return { variant: toMessage(variant, prices) };
    },

    async updateVariant(request) {
      const variant = await changeVariant(variants, request);
      return { variant: toMessage(variant, await variants.listPartnerPrices(variant.id)) };
    },

    async setPartnerPrice({ variantId, partnerId, listPrice }) {
      requireUuids({ variantId, partnerId });
      const faults = amountFault('listPrice', listPrice);
      if (faults.length > 0) throw validationFailed(faults);
      const set = await variants.setPartnerPrice(variantId, partnerId, listPrice);
      if (!set) throw new AppError('NOT_FOUND_VARIANT');
      return { variantId, partnerId, ...set };
    },

    async listBrandTerms({ page }) {
      const list = await brands.list(page);
      return { brands: list.brands.map(toBrandTerms), page: list.page };
    },

    async updateBrand({ brandId, commissionRate }) {
      requireUuids({ brandId });
      if (commissionRate && !FRACTION.test(commissionRate)) {
        const message = 'must be a fraction from 0 to 1 with at most six decimals';
        throw validationFailed([{ path: 'commissionRate', message }]);
      }
      const brand = await brands.setRate(brandId, commissionRate === '' ? null : commissionRate);
      if (!brand) throw new AppError('NOT_FOUND_BRAND');
      return { brand: toBrandTerms(brand) };
    },
  });
}

function toMessage(
  variant: StockedVariantRecord,
  partnerPrices: { partnerId: string; listPrice: string }[] = [],
): StockedVariantMessage {
  const { stockOnHand, stockReserved, rrp, restockedAt, taxClassification, ...same } = variant;
  return {
    ...same,
    rrp: rrp ?? undefined,
    taxClassification: toTaxClassification(taxClassification),
    stockOnHand,
    stockReserved,
    availability: toAvailability(stockOnHand - stockReserved),
    restockedAt: restockedAt ?? undefined,
    partnerPrices,
  };
}

function toBrandTerms({ id, name, commissionRate }: BrandTermsRecord): BrandTerms {
  return { id, name, commissionRate: commissionRate ?? undefined };
}
