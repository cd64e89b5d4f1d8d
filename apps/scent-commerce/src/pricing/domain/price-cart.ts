import { decimal, type Decimal } from '@reseller/money';
import { isEligible, NO_SHARE, spreadDiscount, type DiscountShare } from './discount';
import { given, minus, over, plus, sumOf, times } from './expression';
import { perUnit, sar, wholeSar, type Figure } from './figure';
import {
  commissionVatRateOf,
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

/** What a cart is priced by. */
interface PricingTerms {
  commission: CommissionRates;
  partnerIsVatRegistered: boolean;
  /** Applied as it is: whoever passes it has made sure that it may be used. */
  discount?: DiscountTerms;
}

/** All that decides about a line's money; whoever keeps it can compute the same figures again, whatever rates are by then. */
export interface LineBasis {
  variantId: string;
  quantity: number;
  listPrice: string;
  vatRate: Decimal;
  commissionRate: Decimal;
  /** Whether the cart's discount counts for it. */
  isDiscounted: boolean;
  /** The share as it once was, where it cannot be derived any more; in place of the computed one. */
  frozenShare?: Decimal;
}

/** All that decides about a cart's money. */
export interface PricingBasis {
  lines: readonly LineBasis[];
  discount: { code: string; discountType: DiscountType; value: string } | undefined;
  /** 0 for a partner that is not registered for VAT. */
  commissionVatRate: Decimal;
}

/** A line's money in SAR, each figure rounded once (spec §3.2, §6.3). */
export interface PricedLine extends DiscountShare {
  basis: LineBasis;
  listPrice: Figure;
  /** List price × quantity: before discount and VAT. */
  gross: Figure;
  /** After the line's share of the discount, before VAT. */
  goods: Figure;
  goodsVat: Figure;
  totalWithVat: Figure;
  commission: Figure;
  commissionVat: Figure;
  netAfterCommission: Figure;
}

/** Sums of the lines' rounded figures. */
interface PricedTotals {
  goods: Figure;
  goodsVat: Figure;
  chargedWithVat: Figure;
  commission: Figure;
  commissionVat: Figure;
  commissionWithVat: Figure;
  netAfterCommission: Figure;
}

/** A discount as it was applied; `amount` is the sum of the lines' shares, before VAT. */
export interface AppliedDiscount {
  code: string;
  discountType: DiscountType;
  value: Decimal;
  /** The goods of the lines that it counts for, before it; undefined where its shares were frozen. */
  discountedGoods: Figure | undefined;
  amount: Figure;
}

/** A cart or quote with its prices, lines in the order given. */
export interface PricedCart {
  lines: PricedLine[];
  totals: PricedTotals;
  discount: AppliedDiscount | undefined;
  commissionVatRate: Decimal;
}

/** The money of a cart in SAR (spec §6.3, §6.7); pure, exact, and the same for the same lines in the same order. */
export function priceCart(lines: readonly LineToPrice[], terms: PricingTerms): PricedCart {
  const { commission, partnerIsVatRegistered, discount } = terms;
  return priceBasis({
    lines: lines.map(({ variantId, quantity, listPrice, taxClassification, brandCommissionRate }) => ({
      variantId,
      quantity,
      listPrice,
      vatRate: vatRateOf(taxClassification),
      commissionRate: decimal(commission.partnerRate ?? brandCommissionRate ?? commission.defaultRate),
      isDiscounted: discount !== undefined && isEligible(discount, variantId),
    })),
    discount,
    commissionVatRate: commissionVatRateOf(partnerIsVatRegistered),
  });
}

/** The figures that follow from a basis, the same for ever. */
export function priceBasis({ lines, discount, commissionVatRate }: PricingBasis): PricedCart {
  const gross = lines.map(beforeDiscount);
  const spread = discount && spreadDiscount(discount, gross);
  const priced = gross.map((line, index) => priceLine(line, spread?.shares[index], commissionVatRate));
  return {
    lines: priced,
    totals: totalsOf(priced),
    discount: discount && {
      code: discount.code,
      discountType: discount.discountType,
      value: decimal(discount.value),
      discountedGoods: lines.some(({ frozenShare }) => frozenShare) ? undefined : spread?.discountedGoods,
      amount: wholeSar(sumOf(priced.map(({ discountShare }) => discountShare))),
    },
    commissionVatRate,
  };
}

/** Goods for one unit (spec §7.4): for showing only, goods is what is charged. */
export const unitAmountOf = ({ goods, basis }: PricedLine): Figure =>
  perUnit(over(goods, given(basis.quantity)));

type GrossLine = Pick<PricedLine, 'basis' | 'listPrice' | 'gross'> & Pick<LineBasis, 'isDiscounted'>;

function beforeDiscount(basis: LineBasis): GrossLine {
  const listPrice = wholeSar(given(basis.listPrice, 2));
  const gross = wholeSar(times(listPrice, given(basis.quantity)));
  return { basis, listPrice, gross, isDiscounted: basis.isDiscounted };
}

/** Without a computed share there is no discount on the cart. */
function priceLine(
  { basis, listPrice, gross }: GrossLine,
  computed: DiscountShare | undefined,
  commissionVatRate: Decimal,
): PricedLine {
  const share = computed && (frozenShareOf(basis) ?? computed);
  const goods = wholeSar(share ? minus(gross, share.discountShare) : gross);
  const goodsVat = sar(times(goods, given(basis.vatRate)));
  const totalWithVat = wholeSar(plus(goods, goodsVat));
  const commission = sar(times(goods, given(basis.commissionRate)));
  const commissionVat = sar(times(commission, given(commissionVatRate)));
  const netAfterCommission = wholeSar(minus(minus(totalWithVat, commission), commissionVat));
  return {
    basis,
    listPrice,
    gross,
    ...(share ?? NO_SHARE),
    goods,
    goodsVat,
    totalWithVat,
    commission,
    commissionVat,
    netAfterCommission,
  };
}

function frozenShareOf({ frozenShare }: LineBasis): DiscountShare | undefined {
  return frozenShare && { proportionalShare: undefined, discountShare: wholeSar(given(frozenShare, 2)) };
}

function totalsOf(lines: readonly PricedLine[]): PricedTotals {
  const sum = (figure: (line: PricedLine) => Figure): Figure => wholeSar(sumOf(lines.map(figure)));
  const goods = sum((line) => line.goods);
  const goodsVat = sum((line) => line.goodsVat);
  const chargedWithVat = wholeSar(plus(goods, goodsVat));
  const commission = sum((line) => line.commission);
  const commissionVat = sum((line) => line.commissionVat);
  const commissionWithVat = wholeSar(plus(commission, commissionVat));
  const netAfterCommission = wholeSar(minus(chargedWithVat, commissionWithVat));
  return {
    goods,
    goodsVat,
    chargedWithVat,
    commission,
    commissionVat,
    commissionWithVat,
    netAfterCommission,
  };
}
