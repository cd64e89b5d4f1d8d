import {
  CartStatus,
  type AppliedDiscount,
  type Cart,
  type CartLine,
  type CartTotals,
  type DisplayRate,
  type PreviewCheckoutResponse,
  type QuotePriceResponse,
} from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import {
  present,
  presentDisplay,
  presentDisplayAmount,
  presentEnum,
  presentOptionalAmount,
  presentRequiredMoment,
} from '@reseller/presenters';
import type { z } from 'zod';
import type {
  appliedDiscount,
  cart,
  cartLine,
  CART_STATUSES,
  checkoutPreview,
  priceQuote,
} from './cart.schema';
import { presentDiscountType } from '../discount-codes/discount-code.presenter';
import { presentOptionalExplanation } from '../price-explanations/price-explanation.resource';
import {
  presentMarketing,
  presentOptionalDisplayAmount,
  presentStock,
} from '../scent-catalog/catalog.presenter';

const STATUS_NAMES: Partial<Record<CartStatus, (typeof CART_STATUSES)[number]>> = {
  [CartStatus.OPEN]: 'Open',
  [CartStatus.CHECKED_OUT]: 'CheckedOut',
  [CartStatus.ABANDONED]: 'Abandoned',
};

/** A cart as partners read it. */
export function presentCart(message: Cart | undefined): z.input<typeof cart> {
  const of = present(message, 'cart');
  return {
    id: of.id,
    partnerId: of.partnerId,
    customerRef: of.customerRef ?? null,
    status: presentEnum(STATUS_NAMES, of.status),
    ...presentPrices(of),
  };
}

/** A preview of a checkout as partners read it. */
export function presentPreview(response: PreviewCheckoutResponse): z.input<typeof checkoutPreview> {
  return {
    ...presentCart(response.cart),
    lockId: response.lockId ?? null,
    lockExpiresAt: response.lockExpiresAt?.toISOString() ?? null,
    discount: presentDiscount(response.discount),
    ...presentOptionalExplanation(response.explanation),
  };
}

/** A quote as partners read it. */
export function presentQuote(response: QuotePriceResponse): z.input<typeof priceQuote> {
  return {
    ...presentPrices(response),
    discount: presentDiscount(response.discount),
    ...presentOptionalExplanation(response.explanation),
  };
}

/** A discount as it came off, or null. */
export function presentDiscount(
  discount: AppliedDiscount | undefined,
): z.input<typeof appliedDiscount> | null {
  if (!discount) return null;
  return {
    code: discount.code,
    discountType: presentDiscountType(discount.discountType),
    value: toJsonNumber(discount.value),
    amount: toJsonNumber(discount.amount),
  };
}

interface Prices {
  items: CartLine[];
  pricedAt?: Date | undefined;
  totals?: CartTotals | undefined;
  currency: string;
  displayRate?: DisplayRate | undefined;
}

function presentPrices({ items, pricedAt, totals, currency, displayRate: rate }: Prices) {
  const { chargedWithVat, commissionWithVat, netAfterCommission } = present(totals, 'totals');
  return {
    items: items.map((line) => presentLine(line, currency, rate)),
    pricedAt: presentRequiredMoment(pricedAt, 'priced_at'),
    chargedWithVat: toJsonNumber(chargedWithVat),
    commissionWithVat: toJsonNumber(commissionWithVat),
    netAfterCommission: toJsonNumber(netAfterCommission),
    ...presentDisplay(rate),
    chargedWithVatDisplay: presentDisplayAmount(chargedWithVat, rate),
    commissionWithVatDisplay: presentDisplayAmount(commissionWithVat, rate),
    netAfterCommissionDisplay: presentDisplayAmount(netAfterCommission, rate),
  };
}

function presentLine(
  line: CartLine,
  baseCurrency: string,
  rate: DisplayRate | undefined,
): z.input<typeof cartLine> {
  return {
    variantId: line.variantId,
    quantity: line.quantity,
    sku: line.sku,
    sizeMl: line.sizeMl,
    listPrice: toJsonNumber(line.listPrice),
    baseCurrency,
    lineGoodsVatAmount: toJsonNumber(line.lineGoodsVatAmount),
    lineTotalWithVat: toJsonNumber(line.lineTotalWithVat),
    rrp: presentOptionalAmount(line.rrp),
    listPriceDisplay: presentDisplayAmount(line.listPrice, rate),
    lineGoodsVatAmountDisplay: presentDisplayAmount(line.lineGoodsVatAmount, rate),
    lineTotalWithVatDisplay: presentDisplayAmount(line.lineTotalWithVat, rate),
    rrpDisplay: presentOptionalDisplayAmount(line.rrp, rate),
    ...presentStock(line),
    insufficientForQuantity: line.insufficientForQuantity,
    lineCommission: toJsonNumber(line.lineCommission),
    lineCommissionVatAmount: toJsonNumber(line.lineCommissionVatAmount),
    lineNetAfterCommission: toJsonNumber(line.lineNetAfterCommission),
    lineCommissionDisplay: presentDisplayAmount(line.lineCommission, rate),
    lineCommissionVatAmountDisplay: presentDisplayAmount(line.lineCommissionVatAmount, rate),
    lineNetAfterCommissionDisplay: presentDisplayAmount(line.lineNetAfterCommission, rate),
    ...presentMarketing(line.marketing, rate),
  };
}
