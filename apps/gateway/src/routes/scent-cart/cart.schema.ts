import { z } from 'zod';
import { DISCOUNT_REFUSALS, DISCOUNT_TYPES } from '../discount-codes/discount-code.schema';
import { display, displayMoney, id, moment, money } from '../../fields/response-fields';
import { priceExplanation } from '../price-explanations/price-explanation.resource';
import { marketing, stock } from '../scent-catalog/catalog.schema';

/** Where a cart stands. */
export const CART_STATUSES = ['Open', 'CheckedOut', 'Abandoned'] as const;

/** A line of a cart or quote with every field of the specification. */
export const cartLine = z
  .strictObject({
    variantId: id('The variant, and the line’s id under /scent/cart/items/{id}.'),
    quantity: z.int(),
    sku: z.string(),
    sizeMl: z.int(),
    listPrice: money('Your price of one unit, before discount and VAT.'),
    baseCurrency: z
      .string()
      .meta({ description: 'Of every amount without the suffix Display.', example: 'SAR' }),
    lineGoodsVatAmount: money('VAT on the line’s goods after its share of a discount.'),
    lineTotalWithVat: money('Goods after the discount, with VAT.'),
    rrp: money('The recommended price of one unit.').nullable(),
    listPriceDisplay: displayMoney('listPrice'),
    lineGoodsVatAmountDisplay: displayMoney('lineGoodsVatAmount'),
    lineTotalWithVatDisplay: displayMoney('lineTotalWithVat'),
    rrpDisplay: displayMoney('rrp'),
    ...stock,
    insufficientForQuantity: z
      .boolean()
      .meta({ description: 'More is asked for than can be bought now; an order would be refused.' }),
    lineCommission: money('Your commission, before its VAT.').nullable(),
    lineCommissionVatAmount: money('VAT on it, when you are registered for VAT.').nullable(),
    lineNetAfterCommission: money('lineTotalWithVat less commission and its VAT.').nullable(),
    lineCommissionDisplay: displayMoney('lineCommission'),
    lineCommissionVatAmountDisplay: displayMoney('lineCommissionVatAmount'),
    lineNetAfterCommissionDisplay: displayMoney('lineNetAfterCommission'),
    marketing: marketing.optional(),
  })
  .meta({ id: 'CartLine' });

const totals = {
  pricedAt: moment('When these prices held.'),
  chargedWithVat: money('What an order would be charged: the sum of lineTotalWithVat.'),
  commissionWithVat: money('What you would be credited: the sum of commission and its VAT.'),
  netAfterCommission: money('The difference of the two.'),
  ...display,
  chargedWithVatDisplay: displayMoney('chargedWithVat'),
  commissionWithVatDisplay: displayMoney('commissionWithVat'),
  netAfterCommissionDisplay: displayMoney('netAfterCommission'),
};

const cartFields = {
  id: id('The cart’s id.'),
  partnerId: id('Whose cart it is.'),
  customerRef: z.string().nullable().meta({ description: 'Your customer; null for your own bare cart.' }),
  status: z.enum(CART_STATUSES),
  items: z.array(cartLine).meta({ description: 'In the order in which the variants were first added.' }),
  ...totals,
};

/** A cart with every field of the specification. */
export const cart = z.strictObject(cartFields).meta({ id: 'Cart' });

/** A discount as it came off. */
export const appliedDiscount = z
  .strictObject({
    code: z.string(),
    discountType: z.enum(DISCOUNT_TYPES),
    value: money('A percentage, or an amount in SAR.'),
    amount: money('What came off in all, in SAR before VAT.'),
  })
  .meta({ id: 'AppliedDiscount' });

const explanation = priceExplanation
  .optional()
  .meta({ description: 'How these figures came about; only with explain=true.' });

/** A cart as a checkout would find it, and the lock on its prices. */
export const checkoutPreview = z
  .strictObject({
    ...cartFields,
    lockId: id('The lock on these prices; null without lock=true.').nullable(),
    lockExpiresAt: moment('Until when an order may use it; null without lock=true.').nullable(),
    discount: appliedDiscount.nullable(),
    explanation,
  })
  .meta({ id: 'CheckoutPreview' });

/** Prices of lines that are in no cart. */
export const priceQuote = z
  .strictObject({
    items: z.array(cartLine).meta({ description: 'In the order asked for.' }),
    ...totals,
    discount: appliedDiscount.nullable(),
    explanation,
  })
  .meta({ id: 'PriceQuote' });

/** Whether a code applies to a cart. */
export const discountCheck = z
  .strictObject({
    code: z.string().meta({ description: 'As stored; as sent when it is Unknown.' }),
    isApplicable: z.boolean(),
    reason: z.enum(DISCOUNT_REFUSALS).nullable().meta({ description: 'The first reason against it.' }),
    discount: appliedDiscount.nullable(),
  })
  .meta({ id: 'DiscountCheck' });
