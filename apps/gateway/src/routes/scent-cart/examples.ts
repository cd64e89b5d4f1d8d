import { exampleVariant } from '../scent-catalog/examples';

const line = {
  variantId: exampleVariant.id,
  quantity: 2,
  sku: exampleVariant.sku,
  sizeMl: exampleVariant.sizeMl,
  listPrice: 249.5,
  baseCurrency: 'SAR',
  lineGoodsVatAmount: 74.85,
  lineTotalWithVat: 573.85,
  rrp: 300,
  listPriceDisplay: 66.53,
  lineGoodsVatAmountDisplay: 19.96,
  lineTotalWithVatDisplay: 153.03,
  rrpDisplay: 80,
  availability: 'Limited' as const,
  availableQuantity: 4,
  insufficientForQuantity: false,
  lineCommission: 49.9,
  lineCommissionVatAmount: 7.49,
  lineNetAfterCommission: 516.46,
  lineCommissionDisplay: 13.31,
  lineCommissionVatAmountDisplay: 2,
  lineNetAfterCommissionDisplay: 137.72,
};

const totals = {
  pricedAt: '2026-01-15T09:30:00.000Z',
  chargedWithVat: 573.85,
  commissionWithVat: 57.39,
  netAfterCommission: 516.46,
  displayCurrency: 'USD',
  rate: 0.266667,
  chargedWithVatDisplay: 153.03,
  commissionWithVatDisplay: 15.3,
  netAfterCommissionDisplay: 137.72,
};

/** A cart with one line, of a partner without the marketing feature. */
export const exampleCart = {
  id: '019a2f60-7a1b-7c2d-8e3f-4a5b6c7d8e9f',
  partnerId: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10',
  customerRef: 'customer-17',
  status: 'Open' as const,
  items: [line],
  ...totals,
};

/** The same cart once it was cleared. */
export const exampleEmptyCart = {
  ...exampleCart,
  items: [],
  chargedWithVat: 0,
  commissionWithVat: 0,
  netAfterCommission: 0,
  chargedWithVatDisplay: 0,
  commissionWithVatDisplay: 0,
  netAfterCommissionDisplay: 0,
};

/** The same cart with its prices locked. */
export const exampleCheckoutPreview = {
  ...exampleCart,
  lockId: '019a2f61-0c2d-7e55-8b1a-3f4e5d6c7b8e',
  lockExpiresAt: '2026-01-15T09:45:00.000Z',
  discount: null,
};

/** The same line in no cart. */
export const examplePriceQuote = { items: [line], ...totals, discount: null };
