import type { BrandTerms, StockedVariant as StockedVariantMessage } from '@reseller/contracts';
import { environmentOf } from '@reseller/rpc';
import { toAvailability, toTaxClassification } from '../catalog/catalog.mapper';
import type { BrandTermsRecord } from './brand-terms.repository';
import { scarcer } from './domain/scarcer';
import type { StockedVariantRecord } from './stocked-variant.repository';

/** A variant as operators see it, with the prices of partners; a list leaves those out. */
export function toStockedVariantMessage(
  variant: StockedVariantRecord,
  partnerPrices: { partnerId: string; listPrice: string }[],
): StockedVariantMessage {
  const { stock, rrp, taxClassification, ...same } = variant;
  const { onHand, reserved, restockedAt } = scarcer(stock);
  return {
    ...same,
    rrp: rrp ?? undefined,
    taxClassification: toTaxClassification(taxClassification),
    stockOnHand: onHand,
    stockReserved: reserved,
    availability: toAvailability(onHand - reserved),
    restockedAt: restockedAt ? new Date(restockedAt) : undefined,
    partnerPrices,
    stock: stock.map((level) => ({
      environment: environmentOf(level.environment),
      stockOnHand: level.onHand,
      stockReserved: level.reserved,
    })),
  };
}

/** A brand's terms as their message. */
export const toBrandTermsMessage = ({ id, name, commissionRate }: BrandTermsRecord): BrandTerms => ({
  id,
  name,
  commissionRate: commissionRate ?? undefined,
});
