import { PricingMode, type Checkout, type CheckoutLine, type DisplayRate } from '@reseller/contracts';
import { decimal } from '@reseller/money';
import { toDiscountMessage } from '../cart/cart.mapper';
import type { CartLine, OpenCart } from '../cart/domain/cart-line';
import { toTaxClassification } from '../catalog/catalog.mapper';
import { fromDiscountType } from '../discount/discount-code.mapper';
import type { LockedLine, PriceLock } from '../price-lock/domain/locked-pricing';
import type { FrozenPricing } from '../pricing/domain/frozen-pricing';
import { unitAmountOf, type PricedCart, type PricedLine } from '../pricing/domain/price-cart';
import { BASE_CURRENCY, commissionVatRateOf } from '../pricing/domain/terms';

/** What an order's checkout consists of. */
interface PricedCheckout {
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
    totalAmount: totals.goods.text(),
    totalGoodsVat: totals.goodsVat.text(),
    totalAmountWithVat: totals.chargedWithVat.text(),
    totalCommission: totals.commission.text(),
    totalCommissionVat: totals.commissionVat.text(),
    totalCommissionWithVat: totals.commissionWithVat.text(),
    discount: toDiscountMessage(priced.discount),
    currency: BASE_CURRENCY,
    displayRate: source.displayRate,
    partnerIsVatRegistered: partnerVat.isRegistered,
    partnerTaxRegistrationNumber: partnerVat.number,
    partnerCommissionRate: cart.partner.commissionRate ?? undefined,
    begunAt: cart.pricedAt,
    commissionVatRate: priced.commissionVatRate.toFixed(),
  };
}

function toLines({ cart, priced, lock }: PricedCheckout): CheckoutLine[] {
  const variants = new Map(cart.lines.map((line) => [line.variantId, line]));
  const lockedLines = new Map(lock?.pricing.lines.map((line) => [line.variantId, line]));
  return priced.lines.map((money) => {
    const variant = variants.get(money.basis.variantId);
    if (!variant) throw new Error('a priced line is not in its cart');
    return toLine(variant, money, lockedLines.get(money.basis.variantId) ?? variant);
  });
}

function toLine(
  variant: CartLine,
  money: PricedLine,
  { taxClassification }: Pick<LockedLine, 'taxClassification'>,
): CheckoutLine {
  return {
    variantId: money.basis.variantId,
    sku: variant.sku,
    quantity: money.basis.quantity,
    listPrice: money.listPrice.text(),
    discountShare: money.discountShare.text(),
    goods: money.goods.text(),
    unitGoods: unitAmountOf(money).text(),
    taxClassification: toTaxClassification(taxClassification),
    vatRate: money.basis.vatRate.toFixed(),
    goodsVat: money.goodsVat.text(),
    totalWithVat: money.totalWithVat.text(),
    commissionRate: money.basis.commissionRate.toFixed(),
    commission: money.commission.text(),
    commissionVat: money.commissionVat.text(),
    warehouseCode: variant.warehouseCode,
    sizeMl: variant.sizeMl,
    scentName: variant.scentName,
    isDiscounted: money.basis.isDiscounted,
  };
}

/** What a checkout was priced by; what was not kept yet when it began is undefined, or follows from what was. */
export function toFrozenPricing({ lines, discount, ...checkout }: Checkout): FrozenPricing {
  return {
    lines,
    discount: discount && { ...discount, discountType: fromDiscountType(discount.discountType) },
    commissionVatRate:
      checkout.commissionVatRate === undefined
        ? commissionVatRateOf(checkout.partnerIsVatRegistered)
        : decimal(checkout.commissionVatRate),
  };
}
