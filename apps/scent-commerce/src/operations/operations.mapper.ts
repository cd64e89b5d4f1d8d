import type { BrandTerms, StockedVariant as StockedVariantMessage } from '@reseller/contracts';
import { toAvailability, toTaxClassification } from '../catalog/catalog.mapper';
import type { BrandTermsRecord } from './brand-terms.repository';
import type { StockedVariantRecord } from './stocked-variant.repository';

/** A variant as operators see it, with the prices of partners; a list leaves those out. */
export function toStockedVariantMessage(
  variant: StockedVariantRecord,
  partnerPrices: { partnerId: string; listPrice: string }[],
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

/** A brand's terms as their message. */
export const toBrandTermsMessage = ({ id, name, commissionRate }: BrandTermsRecord): BrandTerms => ({
  id,
  name,
  commissionRate: commissionRate ?? undefined,
});
