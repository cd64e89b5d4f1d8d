import type { BrandTerms, SetPartnerPriceResponse, StockedVariant } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import {
  present,
  presentAvailability,
  presentMoment,
  presentOptionalAmount,
  presentRequiredMoment,
  presentTaxClassification,
} from '@reseller/presenters';
import { presentEnvironment } from './values.presenter';

/** A variant in an operator's list: with stock and cost, which partners never see. */
export function presentVariantRow(variant: StockedVariant) {
  return {
    id: variant.id,
    scentId: variant.scentId,
    scentName: variant.scentName,
    brandId: variant.brandId,
    brandName: variant.brandName,
    warehouse: variant.warehouseCode,
    sku: variant.sku,
    sizeMl: variant.sizeMl,
    listPrice: toJsonNumber(variant.listPrice),
    cost: toJsonNumber(variant.cost),
    rrp: presentOptionalAmount(variant.rrp),
    taxClassification: presentTaxClassification(variant.taxClassification),
    isSample: variant.isSample,
    isActive: variant.isActive,
    stockOnHand: variant.stockOnHand,
    stockReserved: variant.stockReserved,
    availability: presentAvailability(variant.availability),
    firstOfferedAt: presentRequiredMoment(variant.firstOfferedAt, 'first_offered_at'),
    restockedAt: presentMoment(variant.restockedAt),
    stock: variant.stock.map(({ environment, stockOnHand, stockReserved }) => ({
      environment: presentEnvironment(environment),
      stockOnHand,
      stockReserved,
    })),
  };
}

/** A variant by itself, with the prices of single partners. */
export function presentStockedVariant(message: StockedVariant | undefined) {
  const variant = present(message, 'variant');
  return {
    ...presentVariantRow(variant),
    partnerPrices: variant.partnerPrices.map(({ partnerId, listPrice }) => ({
      partnerId,
      listPrice: toJsonNumber(listPrice),
    })),
  };
}

/** A partner's price as it was set. */
export const presentPartnerPrice = (set: SetPartnerPriceResponse) => ({
  variantId: set.variantId,
  partnerId: set.partnerId,
  listPrice: toJsonNumber(set.listPrice),
  updatedAt: presentRequiredMoment(set.updatedAt, 'updated_at'),
});

/** A brand with its commission rate, a fraction; null where the default holds. */
export function presentBrandTerms(message: BrandTerms | undefined) {
  const { id, name, commissionRate } = present(message, 'brand');
  return { id, name, commissionRate: presentOptionalAmount(commissionRate) };
}
