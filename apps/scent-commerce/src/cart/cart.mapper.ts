import {
  CartStatus,
  type AppliedDiscount as AppliedDiscountMessage,
  type Cart,
  type CartLine as CartLineMessage,
  type CartTotals,
  type PreviewCheckoutResponse,
  type QuotePriceResponse,
} from '@reseller/contracts';
import { toFixedString, type Decimal } from '@reseller/money';
import { toAvailability, toMarketing } from '../catalog/catalog.mapper';
import { availableQuantityOf } from '../catalog/domain/availability';
import { marketingOf } from '../catalog/domain/marketing';
import { toDiscountType } from '../discount/discount-code.mapper';
import { explainCart } from '../pricing/domain/explain-price';
import type { AppliedDiscount, PricedCart, PricedLine } from '../pricing/domain/price-cart';
import { BASE_CURRENCY, discountValueText } from '../pricing/domain/terms';
import type { CartOwner } from './cart-owner';
import type { CartLine, CheckoutPreview, OpenCart, Priced, UnpricedLines } from './domain/cart-line';

/** An amount in SAR as it travels between services. */
export const sar = (amount: Decimal): string => toFixedString(amount, 2);

/** A cart with its prices. */
export function toCartMessage(
  { partnerId, customerRef }: CartOwner,
  { lines: cart, priced, displayRate }: Priced<OpenCart>,
): Cart {
  return {
    id: cart.id,
    partnerId,
    customerRef,
    status: CartStatus.OPEN,
    items: toLineMessages(cart, priced),
    pricedAt: cart.pricedAt,
    totals: toTotalsMessage(priced),
    currency: BASE_CURRENCY,
    displayRate,
  };
}

/** A preview with its lock, when one was made, and its explanation, when it is wanted. */
export function toPreviewResponse(
  owner: CartOwner,
  { lock, ...cart }: CheckoutPreview,
  explain = false,
): PreviewCheckoutResponse {
  return {
    cart: toCartMessage(owner, cart),
    discount: toDiscountMessage(cart.priced.discount),
    lockId: lock?.id,
    lockExpiresAt: lock?.expiresAt,
    explanation: explain ? explainCart(cart.priced) : undefined,
  };
}

/** Priced lines that are in no cart, with their explanation, when it is wanted. */
export function toQuoteResponse(
  { lines, priced, displayRate }: Priced<UnpricedLines>,
  explain = false,
): QuotePriceResponse {
  return {
    items: toLineMessages(lines, priced),
    pricedAt: lines.pricedAt,
    totals: toTotalsMessage(priced),
    currency: BASE_CURRENCY,
    displayRate,
    discount: toDiscountMessage(priced.discount),
    explanation: explain ? explainCart(priced) : undefined,
  };
}

/** A discount as it was taken off, or none. */
export function toDiscountMessage(discount: AppliedDiscount | undefined): AppliedDiscountMessage | undefined {
  if (!discount) return undefined;
  const { code, discountType, value, amount } = discount;
  return {
    code,
    discountType: toDiscountType(discountType),
    value: discountValueText(value),
    amount: amount.text(),
  };
}

function toLineMessages({ lines, pricedAt }: UnpricedLines, priced: PricedCart): CartLineMessage[] {
  return lines.map((line, index) => {
    const money = priced.lines[index];
    if (!money) throw new Error('a line was left without a price');
    return toLineMessage(line, money, pricedAt);
  });
}

function toTotalsMessage({ totals }: PricedCart): CartTotals {
  return {
    chargedWithVat: totals.chargedWithVat.text(),
    commissionWithVat: totals.commissionWithVat.text(),
    netAfterCommission: totals.netAfterCommission.text(),
  };
}

function toLineMessage(line: CartLine, money: PricedLine, now: Date): CartLineMessage {
  return {
    variantId: line.variantId,
    quantity: line.quantity,
    sku: line.sku,
    sizeMl: line.sizeMl,
    listPrice: line.listPrice,
    lineGoodsVatAmount: money.goodsVat.text(),
    lineTotalWithVat: money.totalWithVat.text(),
    rrp: line.rrp,
    availability: toAvailability(line.available),
    availableQuantity: availableQuantityOf(line.available),
    insufficientForQuantity: line.quantity > line.available,
    lineCommission: money.commission.text(),
    lineCommissionVatAmount: money.commissionVat.text(),
    lineNetAfterCommission: money.netAfterCommission.text(),
    marketing: line.marketing && toMarketing(marketingOf(line.marketing, now)),
  };
}
