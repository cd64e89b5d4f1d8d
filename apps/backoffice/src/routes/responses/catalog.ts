import { AVAILABILITIES, TAX_CLASSIFICATIONS } from '@reseller/presenters';
import { z } from 'zod';
import { amount, count, environmentName, moment, pageOfItems } from './fields';

const variant = z.strictObject({
  id: z.string(),
  scentId: z.string(),
  scentName: z.string(),
  brandId: z.string(),
  brandName: z.string(),
  warehouse: z.string(),
  sku: z.string(),
  sizeMl: count,
  listPrice: amount,
  cost: amount,
  rrp: amount.nullable(),
  taxClassification: z.enum(TAX_CLASSIFICATIONS),
  isSample: z.boolean(),
  isActive: z.boolean(),
  stockOnHand: count,
  stockReserved: count,
  availability: z.enum(AVAILABILITIES),
  firstOfferedAt: moment,
  restockedAt: moment.nullable(),
  stock: z.array(z.strictObject({ environment: environmentName, stockOnHand: count, stockReserved: count })),
});

/** A page of variants with stock and cost, which partners never see. */
export const variantsPage = pageOfItems(variant.meta({ id: 'VariantRow' }));

/** A variant by itself, with the prices of single partners. */
export const variantResponse = variant
  .extend({ partnerPrices: z.array(z.strictObject({ partnerId: z.string(), listPrice: amount })) })
  .meta({ id: 'Variant' });

/** A partner's price as it was set. */
export const partnerPriceResponse = z
  .strictObject({ variantId: z.string(), partnerId: z.string(), listPrice: amount, updatedAt: moment })
  .meta({ id: 'PartnerPrice' });

/** A brand; its commission rate is a fraction, null where the default holds. */
export const brandResponse = z
  .strictObject({ id: z.string(), name: z.string(), commissionRate: z.number().nullable() })
  .meta({ id: 'Brand' });

/** A page of brands. */
export const brandsPage = pageOfItems(brandResponse);
