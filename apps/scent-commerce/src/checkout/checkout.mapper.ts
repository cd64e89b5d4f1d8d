import { PricingMode, type Checkout, type CheckoutLine, type DisplayRate } from '@reseller/contracts';
import { toFixedString } from '@reseller/money';
import { sar, toDiscountMessage } from '../cart/cart.mapper';
import type { CartLine, OpenCart } from '../cart/domain/cart-line';
import { toTaxClassification } from '../catalog/catalog.mapper';
import type { LockedLine, PriceLock } from '../price-lock/domain/locked-pricing';
import type { PricedCart, PricedLine } from '../pricing/domain/price-cart';
import { BASE_CURRENCY } from '../pricing/domain/terms';

/** What an order's checkout consists of. */
export interface PricedCheckout {
  orderKey: string;
  customerRef: string | undefined;
  cart: OpenCart;
  priced: PricedCart;
  /** The lock that priced it, if one did. */
  lock: PriceLock | undefined;
  partnerVat: { isRegistered: boolean; number: string | undefined };
  displayRate: DisplayRate | undefined;
}

/** The response of Begin, kept with the checkout. */
export function toCheckout(source: PricedCheckout): Checkout {
  const { cart, priced, lock, partnerVat } = source;
  const { totals } = priced;
  return {
    orderKey: source.orderKey,
    cartId: cart.id,
    customerRef: source.customerRef,
    pricingMode: lock ? PricingMode.LOCKED : PricingMode.LIVE,
    lockId: lock?.id,
    lines: toLines(source),
    totalAmount: sar(totals.goods),
    totalGoodsVat: sar(totals.goodsVat),
    totalAmountWithVat: sar(totals.chargedWithVat),
    totalCommission: sar(totals.commission),
    totalCommissionVat: sar(totals.commissionVat),
    totalCommissionWithVat: sar(totals.commissionWithVat),
    discount: toDiscountMessage(priced.discount),
    currency: BASE_CURRENCY,
    displayRate: source.displayRate,
    partnerIsVatRegistered: partnerVat.isRegistered,
    partnerTaxRegistrationNumber: partnerVat.number,
    partnerCommissionRate: cart.partner.commissionRate ?? undefined,
    begunAt: cart.pricedAt,
  };
}

function toLines({ cart, priced, lock }: PricedCheckout): CheckoutLine[] {
  const variants = new Map(cart.lines.map((line) => [line.variantId, line]));
  const lockedLines = new Map(lock?.pricing.lines.map((line) => [line.variantId, line]));
  return priced.lines.map((money) => {
    const variant = variants.get(money.variantId);
    if (!variant) throw new Error('a priced line is not in its cart');
    return toLine(variant, money, lockedLines.get(money.variantId) ?? variant);
  });
}

function toLine(
  variant: CartLine,
  money: PricedLine,
  { listPrice, taxClassification }: Pick<LockedLine, 'listPrice' | 'taxClassification'>,
): CheckoutLine {
  return {
    variantId: money.variantId,
    sku: variant.sku,
    quantity: money.quantity,
    listPrice,
    discountShare: sar(money.discountShare),
    goods: sar(money.goods),
    unitGoods: toFixedString(money.goods.dividedBy(money.quantity), 4),
    taxClassification: toTaxClassification(taxClassification),
    vatRate: money.vatRate.toFixed(),
    goodsVat: sar(money.goodsVat),
    totalWithVat: sar(money.totalWithVat),
    commissionRate: money.commissionRate.toFixed(),
    commission: sar(money.commission),
    commissionVat: sar(money.commissionVat),
    warehouseCode: variant.warehouseCode,
    sizeMl: variant.sizeMl,
    scentName: variant.scentName,
  };
}
