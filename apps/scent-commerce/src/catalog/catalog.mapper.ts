import {
  Availability,
  Badge,
  Gender,
  TaxClassification,
  type Marketing as MarketingMessage,
  type Scent as ScentMessage,
  type Variant as VariantMessage,
} from '@reseller/contracts';
import { availabilityOf, availableQuantityOf, type AvailabilityName } from './domain/availability';
import { marketingOf, type BadgeName, type Marketing } from './domain/marketing';
import type { GenderName, OfferedVariant, ScentRecord, TaxClass } from './domain/variant';

const AVAILABILITIES: Record<AvailabilityName, Availability> = {
  Unavailable: Availability.UNAVAILABLE,
  Limited: Availability.LIMITED,
  Available: Availability.AVAILABLE,
};

const TAX_CLASSES: Record<TaxClass, TaxClassification> = {
  STANDARD: TaxClassification.STANDARD,
  ZERO: TaxClassification.ZERO,
};

const GENDERS: Record<GenderName, Gender> = {
  Women: Gender.WOMEN,
  Men: Gender.MEN,
  Unisex: Gender.UNISEX,
};

const BADGE_MESSAGES: Record<BadgeName, Badge> = {
  LIMITED: Badge.LIMITED,
  BACK_IN_STOCK: Badge.BACK_IN_STOCK,
  NEW_ARRIVAL: Badge.NEW_ARRIVAL,
  BEST_SELLER: Badge.BEST_SELLER,
  SAMPLE_AVAILABLE: Badge.SAMPLE_AVAILABLE,
};

/** The class of an available quantity on the wire. */
export const toAvailability = (available: number): Availability => AVAILABILITIES[availabilityOf(available)];

/** The class that a filter names; undefined when it names none. */
export function fromAvailability(availability: Availability): AvailabilityName | undefined {
  const names = Object.keys(AVAILABILITIES) as AvailabilityName[];
  return names.find((name) => AVAILABILITIES[name] === availability);
}

/** A VAT class on the wire. */
export const toTaxClassification = (tax: TaxClass): TaxClassification => TAX_CLASSES[tax];

/** Marketing on the wire. */
export function toMarketing({ badges, ...prices }: Marketing): MarketingMessage {
  return {
    currentPrice: prices.currentPrice,
    compareAtPrice: prices.compareAtPrice,
    discountPercent: prices.discountPercent,
    badges: badges.map((badge) => BADGE_MESSAGES[badge]),
  };
}

/** A variant on the wire, as it stands at this moment. */
export function toVariantMessage(variant: OfferedVariant, now: Date): VariantMessage {
  const { id, scentId, sku, sizeMl, listPrice, rrp, isSample, available } = variant;
  return {
    id,
    scentId,
    sku,
    sizeMl,
    listPrice,
    currency: 'SAR',
    rrp,
    taxClassification: toTaxClassification(variant.taxClassification),
    isSample,
    availability: toAvailability(available),
    availableQuantity: availableQuantityOf(available),
    marketing: variant.marketing && toMarketing(marketingOf(variant.marketing, now)),
  };
}

/** A scent on the wire with the variants that are its own among those given. */
export function toScentMessage(
  scent: ScentRecord,
  variants: readonly OfferedVariant[],
  now: Date,
): ScentMessage {
  return {
    ...scent,
    gender: GENDERS[scent.gender],
    variants: variants
      .filter(({ scentId }) => scentId === scent.id)
      .map((variant) => toVariantMessage(variant, now)),
  };
}
