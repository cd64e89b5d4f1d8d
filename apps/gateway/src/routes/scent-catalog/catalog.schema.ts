import { AVAILABILITIES, TAX_CLASSIFICATIONS } from '@reseller/presenters';
import { z } from 'zod';
import { display, displayMoney, id, money } from '../../fields/response-fields';

/** Reasons to look twice at a variant, in the order in which they are shown (spec §5.5). */
export const BADGES = ['LIMITED', 'BACK_IN_STOCK', 'NEW_ARRIVAL', 'BEST_SELLER', 'SAMPLE_AVAILABLE'] as const;

/** Whom a scent is made for. */
export const GENDERS = ['Women', 'Men', 'Unisex'] as const;

/** The class of what is available and the number, where it is shown. */
export const stock = {
  availability: z
    .enum(AVAILABILITIES)
    .meta({ description: 'Unavailable at 0, Limited from 1 to 5, Available above.' }),
  availableQuantity: z.int().nullable().meta({ description: 'How many can be bought now; null above 20.' }),
};

/** The marketing block of a variant or a cart line. */
export const marketing = z
  .strictObject({
    currentPrice: money('The catalog’s price, whatever yours is.'),
    compareAtPrice: money('A “was” price to strike through; null where there is no genuine one.').nullable(),
    discountPercent: money(
      'What currentPrice is below compareAtPrice; null exactly when that is.',
    ).nullable(),
    badges: z.array(z.enum(BADGES)).meta({ description: 'In this order.' }),
    currentPriceDisplay: displayMoney('currentPrice'),
    compareAtPriceDisplay: displayMoney('compareAtPrice'),
  })
  .meta({
    id: 'Marketing',
    description: 'Presentation only: never changes what is paid. Absent without the marketing feature.',
  });

/** A brand as partners read it. */
export const brand = z
  .strictObject({ id: id('The brand’s id.'), name: z.string() })
  .meta({ id: 'ScentBrand' });

/** A variant as partners read it (spec §5.2). */
export const variant = z
  .strictObject({
    id: id('The variantId of cart lines and orders.'),
    scentId: id('The scent it is a variant of.'),
    sku: z.string(),
    sizeMl: z.int(),
    listPrice: money('Your price before VAT.'),
    baseCurrency: z
      .string()
      .meta({ description: 'Of every amount without the suffix Display.', example: 'SAR' }),
    rrp: money('The recommended price.').nullable(),
    taxClassification: z.enum(TAX_CLASSIFICATIONS).meta({ description: '15 % VAT or none.' }),
    isSample: z.boolean(),
    ...stock,
    ...display,
    listPriceDisplay: displayMoney('listPrice'),
    rrpDisplay: displayMoney('rrp'),
    marketing: marketing.optional(),
  })
  .meta({ id: 'ScentVariant' });

/** A scent with its variants as partners read it. */
export const scent = z
  .strictObject({
    id: id('The scent’s id.'),
    brandId: id('The brand’s id.'),
    brandName: z.string(),
    name: z.string(),
    description: z.string(),
    notes: z.array(z.string()),
    gender: z.enum(GENDERS),
    concentration: z.string().meta({ example: 'Eau de Parfum' }),
    variants: z.array(variant).meta({ description: 'Those on sale, by sku.' }),
  })
  .meta({ id: 'Scent' });

/** A variant's availability by itself. */
export const variantAvailability = z
  .strictObject({ variantId: id('The variant’s id.'), ...stock })
  .meta({ id: 'ScentVariantAvailability' });
