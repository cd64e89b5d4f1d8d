import { priceCart, type PricedCart } from '../../pricing/domain/price-cart';
import type { DiscountTerms } from '../../pricing/domain/terms';
import type { UnpricedLines } from './cart-line';

/** Prices lines as they were read (spec §6.3); `defaultRate` is the commission where neither partner nor brand has one. */
export function priceLines(
  { lines, partner }: UnpricedLines,
  defaultRate: string,
  discount?: DiscountTerms,
): PricedCart {
  return priceCart(lines, {
    commission: { partnerRate: partner.commissionRate, defaultRate },
    partnerIsVatRegistered: partner.isVatRegistered,
    ...(discount && { discount }),
  });
}
