import {
  CartStatus,
  type AppliedDiscount as AppliedDiscountMessage,
  type Cart,
  type CartLine,
  type CartTotals,
  type DisplayRate,
} from '@reseller/contracts';
import { toFixedString, type Decimal } from '@reseller/money';
import { toAvailability, toMarketing } from '../catalog/catalog-message';
import { shownQuantity } from '../catalog/domain/availability';
import { marketingOf } from '../catalog/domain/marketing';
import { toDiscountType } from '../discount/discount-code-message';
import type { AppliedDiscount, PricedCart, PricedLine } from '../pricing/domain/price-cart';
import { BASE_CURRENCY } from '../pricing/domain/terms';
import type { CartOwner } from './cart.repository';
import type { LoadedCart, ShopLine, ShopLines } from './domain/shop-line';

/** An amount in SAR as it travels between services. */
export const sar = (amount: Decimal): string => toFixedString(amount, 2);

/** A cart with its prices as it travels. */
export function toCartMessage(
  { partnerId, customerRef }: CartOwner,
  cart: LoadedCart,
  { priced, displayRate }: { priced: PricedCart; displayRate: DisplayRate | undefined },
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

/** The lines in their order. */
export function toLineMessages({ lines, pricedAt }: ShopLines, priced: PricedCart): CartLine[] {
  return lines.map((line, index) => {
    const money = priced.lines[index];
    if (!money) throw new Error('a line was left without a price');
    return toLineMessage(line, money, pricedAt);
  });
}

/** The totals of a cart or quote. */
export function toTotalsMessage({ totals }: PricedCart): CartTotals {
  return {
    chargedWithVat: sar(totals.chargedWithVat),
    commissionWithVat: sar(totals.commissionWithVat),
    netAfterCommission: sar(totals.netAfterCommission),
  };
}

/** A discount as it was taken off, or none. */
export function toDiscountMessage(discount: AppliedDiscount | undefined): AppliedDiscountMessage | undefined {
  if (!discount) return undefined;
  const { code, discountType, value, amount } = discount;
  return {
    code,
    discountType: toDiscountType(discountType),
    value: sar(value),
    amount: sar(amount),
  };
}

function toLineMessage(line: ShopLine, money: PricedLine, now: Date): CartLine {
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
    availableQuantity: shownQuantity(line.available),
    insufficientForQuantity: line.quantity > line.available,
    lineCommission: sar(money.commission),
    lineCommissionVatAmount: sar(money.commissionVat),
    lineNetAfterCommission: sar(money.netAfterCommission),
    marketing: line.marketing && toMarketing(marketingOf(line.marketing, now)),
  };
}
