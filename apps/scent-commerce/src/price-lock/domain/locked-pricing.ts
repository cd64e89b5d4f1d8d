import { toFixedString, type Decimal } from '@reseller/money';
import { priceFrozen } from '../../pricing/domain/frozen-pricing';
import type { AppliedDiscount, PricedCart } from '../../pricing/domain/price-cart';
import {
  commissionVatRateOf,
  discountValueText,
  type DiscountType,
  type TaxClassification,
} from '../../pricing/domain/terms';

/** A line as a lock keeps it: all that decided about its price. */
export interface LockedLine {
  variantId: string;
  quantity: number;
  listPrice: string;
  taxClassification: TaxClassification;
  discountShare: string;
  isDiscounted: boolean;
  vatRate: string;
  commissionRate: string;
}

/** What a lock keeps of its discount. */
interface LockedDiscount {
  code: string;
  discountType: DiscountType;
  value: string;
  amount: string;
}

/** Frozen prices of a cart as they are stored; decimals are texts (spec §6.5). */
export interface LockedPricing {
  lines: LockedLine[];
  discount: LockedDiscount | null;
}

/** A lock that was just made. */
export interface NewPriceLock {
  id: string;
  expiresAt: Date;
}

/** A lock as an order finds it. */
export interface PriceLock {
  id: string;
  cartId: string;
  cartVersion: string;
  pricing: LockedPricing;
  discountCodeId: string | undefined;
  isSpent: boolean;
  expiresAt: Date;
}

const money = (amount: Decimal): string => toFixedString(amount, 2);

/** What a lock keeps of a priced cart; `lines` are the cart's, in the order in which they were priced. */
export function toLockedPricing(
  lines: readonly Pick<LockedLine, 'listPrice' | 'taxClassification'>[],
  priced: PricedCart,
): LockedPricing {
  return {
    lines: priced.lines.map((line, index) => {
      const source = lines[index];
      if (!source) throw new Error('a price belongs to no line');
      return {
        variantId: line.basis.variantId,
        quantity: line.basis.quantity,
        listPrice: source.listPrice,
        taxClassification: source.taxClassification,
        discountShare: money(line.discountShare.value),
        isDiscounted: line.basis.isDiscounted,
        vatRate: line.basis.vatRate.toFixed(),
        commissionRate: line.basis.commissionRate.toFixed(),
      };
    }),
    discount: priced.discount ? toLockedDiscount(priced.discount) : null,
  };
}

/** The locked prices for a partner that is registered for VAT, or not: only the commission's VAT follows that (spec §6.5). */
export function fromLockedPricing(
  { lines, discount }: LockedPricing,
  partnerIsVatRegistered: boolean,
): PricedCart {
  return priceFrozen({
    lines,
    discount: discount ?? undefined,
    commissionVatRate: commissionVatRateOf(partnerIsVatRegistered),
  });
}

const toLockedDiscount = ({ code, discountType, value, amount }: AppliedDiscount): LockedDiscount => ({
  code,
  discountType,
  value: discountValueText(value),
  amount: money(amount.value),
});
