import { decimal, toFixedString, type Decimal } from '@reseller/money';
import {
  totalsOf,
  withPartnerVat,
  type AppliedDiscount,
  type PricedCart,
  type PricedLine,
} from '../../pricing/domain/price-cart';
import type { DiscountType, TaxClassification } from '../../pricing/domain/terms';

/** A line as a lock keeps it: what was decided, so that nothing is computed anew but the commission's VAT. */
export interface LockedLine {
  variantId: string;
  quantity: number;
  listPrice: string;
  taxClassification: TaxClassification;
  goods: string;
  discountShare: string;
  vatRate: string;
  goodsVat: string;
  commissionRate: string;
  commission: string;
}

/** What a lock keeps of its discount. */
export interface LockedDiscount {
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
        variantId: line.variantId,
        quantity: line.quantity,
        listPrice: source.listPrice,
        taxClassification: source.taxClassification,
        goods: money(line.goods),
        discountShare: money(line.discountShare),
        vatRate: line.vatRate.toFixed(),
        goodsVat: money(line.goodsVat),
        commissionRate: line.commissionRate.toFixed(),
        commission: money(line.commission),
      };
    }),
    discount: priced.discount ? toLockedDiscount(priced.discount) : null,
  };
}

/** The locked prices for a partner that is registered for VAT, or not: the commission's VAT follows the locked commission. */
export function fromLockedPricing(
  { lines, discount }: LockedPricing,
  partnerIsVatRegistered: boolean,
): PricedCart {
  const priced = lines.map(toPricedLine);
  const cart = {
    lines: priced,
    totals: totalsOf(priced),
    discount: discount ? toApplied(discount) : undefined,
  };
  return withPartnerVat(cart, partnerIsVatRegistered);
}

function toPricedLine(line: LockedLine): PricedLine {
  const goods = decimal(line.goods);
  const goodsVat = decimal(line.goodsVat);
  const totalWithVat = goods.plus(goodsVat);
  const commission = decimal(line.commission);
  return {
    variantId: line.variantId,
    quantity: line.quantity,
    goods,
    discountShare: decimal(line.discountShare),
    vatRate: decimal(line.vatRate),
    goodsVat,
    totalWithVat,
    commissionRate: decimal(line.commissionRate),
    commission,
    commissionVat: decimal(0),
    netAfterCommission: totalWithVat.minus(commission),
  };
}

const toLockedDiscount = ({ code, discountType, value, amount }: AppliedDiscount): LockedDiscount => ({
  code,
  discountType,
  value: money(value),
  amount: money(amount),
});

const toApplied = ({ code, discountType, value, amount }: LockedDiscount): AppliedDiscount => ({
  code,
  discountType,
  value: decimal(value),
  amount: decimal(amount),
});
