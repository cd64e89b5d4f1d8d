import {
  Badge,
  Gender,
  type Availability,
  type Brand,
  type DisplayRate,
  type GetVariantAvailabilityResponse,
  type Marketing,
  type Scent,
  type Variant,
} from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import {
  present,
  presentAvailability,
  presentDisplay,
  presentDisplayAmount,
  presentEnum,
  presentOptionalAmount,
  presentTaxClassification,
} from '@reseller/presenters';
import type { z } from 'zod';
import type {
  BADGES,
  brand,
  GENDERS,
  marketing,
  scent,
  variant,
  variantAvailability,
} from './catalog.schema';

const GENDER_NAMES: Partial<Record<Gender, (typeof GENDERS)[number]>> = {
  [Gender.WOMEN]: 'Women',
  [Gender.MEN]: 'Men',
  [Gender.UNISEX]: 'Unisex',
};

const BADGE_NAMES: Partial<Record<Badge, (typeof BADGES)[number]>> = {
  [Badge.LIMITED]: 'LIMITED',
  [Badge.BACK_IN_STOCK]: 'BACK_IN_STOCK',
  [Badge.NEW_ARRIVAL]: 'NEW_ARRIVAL',
  [Badge.BEST_SELLER]: 'BEST_SELLER',
  [Badge.SAMPLE_AVAILABLE]: 'SAMPLE_AVAILABLE',
};

/** Availability and quantity of a variant or a cart line (spec §5.4). */
export const presentStock = (of: { availability: Availability; availableQuantity?: number | undefined }) => ({
  availability: presentAvailability(of.availability),
  availableQuantity: of.availableQuantity ?? null,
});

/** The key `marketing`, or no key at all for a partner without the feature. */
export function presentMarketing(
  message: Marketing | undefined,
  rate: DisplayRate | undefined,
): { marketing?: z.input<typeof marketing> } {
  if (!message) return {};
  const { currentPrice, compareAtPrice, discountPercent, badges } = message;
  return {
    marketing: {
      currentPrice: toJsonNumber(currentPrice),
      compareAtPrice: presentOptionalAmount(compareAtPrice),
      discountPercent: presentOptionalAmount(discountPercent),
      badges: badges.map((badge) => presentEnum(BADGE_NAMES, badge)),
      currentPriceDisplay: presentDisplayAmount(currentPrice, rate),
      compareAtPriceDisplay: presentOptionalDisplayAmount(compareAtPrice, rate),
    },
  };
}

/** The Display sibling of an amount that may be absent. */
export const presentOptionalDisplayAmount = (
  amount: string | undefined,
  rate: DisplayRate | undefined,
): number | null => (amount === undefined ? null : presentDisplayAmount(amount, rate));

/** A brand as partners read it. */
export function presentBrand(message: Brand | undefined): z.input<typeof brand> {
  const { id, name } = present(message, 'brand');
  return { id, name };
}

/** A variant as partners read it, with the display amounts of a rate. */
export function presentVariant(
  message: Variant | undefined,
  rate: DisplayRate | undefined,
): z.input<typeof variant> {
  const of = present(message, 'variant');
  return {
    id: of.id,
    scentId: of.scentId,
    sku: of.sku,
    sizeMl: of.sizeMl,
    listPrice: toJsonNumber(of.listPrice),
    baseCurrency: of.currency,
    rrp: presentOptionalAmount(of.rrp),
    taxClassification: presentTaxClassification(of.taxClassification),
    isSample: of.isSample,
    ...presentStock(of),
    ...presentDisplay(rate),
    listPriceDisplay: presentDisplayAmount(of.listPrice, rate),
    rrpDisplay: presentOptionalDisplayAmount(of.rrp, rate),
    ...presentMarketing(of.marketing, rate),
  };
}

/** A scent with its variants as partners read it. */
export function presentScent(
  message: Scent | undefined,
  rate: DisplayRate | undefined,
): z.input<typeof scent> {
  const { gender, variants, ...same } = present(message, 'scent');
  return {
    ...same,
    gender: presentEnum(GENDER_NAMES, gender),
    variants: variants.map((variant) => presentVariant(variant, rate)),
  };
}

/** A variant's availability by itself. */
export function presentVariantAvailability(
  response: GetVariantAvailabilityResponse,
): z.input<typeof variantAvailability> {
  return { variantId: response.variantId, ...presentStock(response) };
}
