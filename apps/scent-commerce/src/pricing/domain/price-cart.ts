import { Decimal, decimal, roundToMinorUnit, vatOf } from '@reseller/money';
import { spreadDiscount } from './discount';
import {
  BASE_CURRENCY,
  COMMISSION_VAT_RATE,
  vatRateOf,
  type CommissionRates,
  type DiscountTerms,
  type DiscountType,
  type TaxClassification,
} from './terms';

/** A line before it is priced; decimals are texts, the list price in whole halalas. */
export interface LineToPrice {
  variantId: string;
  quantity: number;
  listPrice: string;
  taxClassification: TaxClassification;
  brandCommissionRate: string | null;
}

/** A line's money in SAR, each figure rounded once (spec §3.2, §6.3). */
export interface PricedLine {
  variantId: string;
  quantity: number;
  /** After the line's share of the discount, before VAT. */
  goods: Decimal;
  discountShare: Decimal;
  vatRate: Decimal;
  goodsVat: Decimal;
  totalWithVat: Decimal;
  commissionRate: Decimal;
  commission: Decimal;
  commissionVat: Decimal;
  netAfterCommission: Decimal;
}

/** Sums of the lines' rounded figures. */
export interface PricedTotals {
  goods: Decimal;
  goodsVat: Decimal;
  chargedWithVat: Decimal;
  commission: Decimal;
  commissionVat: Decimal;
  commissionWithVat: Decimal;
  netAfterCommission: Decimal;
}

/** A discount as it was applied; `amount` is the sum of the lines' shares, before VAT. */
export interface AppliedDiscount {
  code: string;
  discountType: DiscountType;
  value: Decimal;
  amount: Decimal;
}

/** A cart or quote with its prices, lines in the order given. */
export interface PricedCart {
  lines: PricedLine[];
  totals: PricedTotals;
  discount: AppliedDiscount | undefined;
}

/** What a cart is priced by. */
export interface PricingTerms {
  commission: CommissionRates;
  partnerIsVatRegistered: boolean;
  /** Applied as it is: whoever passes it has made sure that it may be used. */
  discount?: DiscountTerms;
}

/** The money of a cart in SAR (spec §6.3, §6.7); pure, exact, and the same for the same lines in the same order. */
export function priceCart(lines: readonly LineToPrice[], terms: PricingTerms): PricedCart {
  const discountable = lines.map(({ variantId, listPrice, quantity }) => ({
    variantId,
    gross: decimal(listPrice).times(quantity),
  }));
  const shares = terms.discount ? spreadDiscount(terms.discount, discountable) : [];
  const priced = lines.map((line, index) => {
    const gross = discountable[index]?.gross ?? new Decimal(0);
    return priceLine(line, { gross, discountShare: shares[index] ?? new Decimal(0) }, terms);
  });
  return { lines: priced, totals: totalsOf(priced), discount: applied(terms.discount, shares) };
}

/** The same cart for a partner that is registered for VAT or not: only the commission's VAT and what follows from it differ (spec §6.5). */
export function withPartnerVat(cart: PricedCart, partnerIsVatRegistered: boolean): PricedCart {
  const lines = cart.lines.map((line) => withCommissionVat(line, partnerIsVatRegistered));
  return { ...cart, lines, totals: totalsOf(lines) };
}

/** The totals of priced lines. */
export function totalsOf(lines: readonly PricedLine[]): PricedTotals {
  const sum = (figure: (line: PricedLine) => Decimal): Decimal =>
    lines.reduce((total, line) => total.plus(figure(line)), new Decimal(0));
  const chargedWithVat = sum(({ totalWithVat }) => totalWithVat);
  const commission = sum((line) => line.commission);
  const commissionVat = sum((line) => line.commissionVat);
  const commissionWithVat = commission.plus(commissionVat);
  return {
    goods: sum(({ goods }) => goods),
    goodsVat: sum(({ goodsVat }) => goodsVat),
    chargedWithVat,
    commission,
    commissionVat,
    commissionWithVat,
    netAfterCommission: chargedWithVat.minus(commissionWithVat),
  };
}

function priceLine(
  { variantId, quantity, taxClassification, brandCommissionRate }: LineToPrice,
  { gross, discountShare }: { gross: Decimal; discountShare: Decimal },
  { commission: { partnerRate, defaultRate }, partnerIsVatRegistered }: PricingTerms,
): PricedLine {
  const goods = gross.minus(discountShare);
  const vatRate = vatRateOf(taxClassification);
  const goodsVat = vatOf(goods, vatRate, BASE_CURRENCY);
  const commissionRate = decimal(partnerRate ?? brandCommissionRate ?? defaultRate);
  const line = {
    variantId,
    quantity,
    goods,
    discountShare,
    vatRate,
    goodsVat,
    totalWithVat: goods.plus(goodsVat),
    commissionRate,
    commission: roundToMinorUnit(goods.times(commissionRate), BASE_CURRENCY),
  };
  return withCommissionVat(line, partnerIsVatRegistered);
}

function withCommissionVat(
  line: Omit<PricedLine, 'commissionVat' | 'netAfterCommission'>,
  partnerIsVatRegistered: boolean,
): PricedLine {
  const commissionVat = partnerIsVatRegistered
    ? vatOf(line.commission, COMMISSION_VAT_RATE, BASE_CURRENCY)
    : new Decimal(0);
  const netAfterCommission = line.totalWithVat.minus(line.commission).minus(commissionVat);
  return { ...line, commissionVat, netAfterCommission };
}

function applied(terms: DiscountTerms | undefined, shares: readonly Decimal[]): AppliedDiscount | undefined {
  if (!terms) return undefined;
  const { code, discountType, value } = terms;
  const amount = shares.reduce((sum, share) => sum.plus(share), new Decimal(0));
  return { code, discountType, value: decimal(value), amount };
}
