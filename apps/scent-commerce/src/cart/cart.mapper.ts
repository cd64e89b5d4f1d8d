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
import type { AppliedDiscount, PricedCart, PricedLine } from '../pricing/domain/price-cart';
import { BASE_CURRENCY } from '../pricing/domain/terms';
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

/** A preview with its lock, when one was made. */
export function toPreviewResponse(
  owner: CartOwner,
  { lock, ...cart }: CheckoutPreview,
): PreviewCheckoutResponse {
  return {
    cart: toCartMessage(owner, cart),
    discount: toDiscountMessage(cart.priced.discount),
    lockId: lock?.id,
    lockExpiresAt: lock?.expiresAt,
  };
}

/** Priced lines that are in no cart. */
export function toQuoteResponse({ lines, priced, displayRate }: Priced<UnpricedLines>): QuotePriceResponse {
  return {
    items: toLineMessages(lines, priced),
    pricedAt: lines.pricedAt,
    totals: toTotalsMessage(priced),
    currency: BASE_CURRENCY,
    displayRate,
    discount: toDiscountMessage(priced.discount),
  };
}

/** A discount as it was taken off, or none. */
export function toDiscountMessage(discount: AppliedDiscount | undefined): AppliedDiscountMessage | undefined {
  if (!discount) return undefined;
  const { code, discountType, value, amount } = discount;
  return { code, discountType: toDiscountType(discountType), value: sar(value), amount: sar(amount) };
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
    chargedWithVat: sar(totals.chargedWithVat),
    commissionWithVat: sar(totals.commissionWithVat),
    netAfterCommission: sar(totals.netAfterCommission),
  };
}

function toLineMessage(line: CartLine, money: PricedLine, now: Date): CartLineMessage {
  return {
    variantId: line.variantId,
    quantity: line.quantity,
    sku: line.sku,
    sizeMl: line.sizeMl,
    listPrice: line.listPrice,
    lineGoodsVatAmount: sar(money.goodsVat),
    lineTotalWithVat: sar(money.totalWithVat),
    rrp: line.rrp,
    availability: toAvailability(line.available),
    availableQuantity: availableQuantityOf(line.available),
    insufficientForQuantity: line.quantity > line.available,
    lineCommission: sar(money.commission),
    lineCommissionVatAmount: sar(money.commissionVat),
    lineNetAfterCommission: sar(money.netAfterCommission),
    marketing: line.marketing && toMarketing(marketingOf(line.marketing, now)),
  };
}
