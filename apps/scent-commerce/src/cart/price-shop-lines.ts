import type { DisplayRate } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { priceCart, type PricedCart } from '../pricing/domain/price-cart';
import type { DiscountTerms } from '../pricing/domain/terms';
import type { DisplayRates } from '../display-rate/display-rates';
import type { ShopLines } from './domain/shop-line';

/** What pricing needs beside the lines. */
export interface PricingParts {
  rates: DisplayRates;
  /** The commission where neither partner nor brand has a rate; a fraction. */
  defaultCommissionRate: string;
}

/** Lines with their prices, and the rate they are shown at. */
export interface PricedShopLines {
  priced: PricedCart;
  displayRate: DisplayRate | undefined;
}

/** Prices lines as they were read (spec §6.3). */
export function priceShopLines(
  { lines, partner }: ShopLines,
  defaultRate: string,
  discount?: DiscountTerms,
): PricedCart {
  return priceCart(lines, {
    commission: { partnerRate: partner.commissionRate, defaultRate },
    partnerIsVatRegistered: partner.isVatRegistered,
    ...(discount && { discount }),
  });
}

/** The same with the live display rate; SERVICE_UNAVAILABLE when it is needed and finance is away. */
export async function priceForDisplay(
  { rates, defaultCommissionRate }: PricingParts,
  lines: ShopLines,
  { call, discount }: { call: CallContext; discount?: DiscountTerms | undefined },
): Promise<PricedShopLines> {
  const priced = priceShopLines(lines, defaultCommissionRate, discount);
  return { priced, displayRate: await rates.find(lines.partner.displayCurrency, call) };
}
