import { Decimal, decimal, roundToMinorUnit, splitProportionally } from '@reseller/money';
import { BASE_CURRENCY, type DiscountTerms } from './terms';

/** What a discount needs to know of a line: `gross` is list price × quantity, whole halalas. */
export interface DiscountableLine {
  variantId: string;
  gross: Decimal;
}

/** Whether a discount counts for a variant. */
export function isEligible(terms: DiscountTerms, variantId: string): boolean {
  return terms.productScope === 'All' || terms.scopedVariantIds.includes(variantId);
}

/** The lines a discount counts for, and the sum of their goods before it. */
export function eligibleGoods(
  terms: DiscountTerms,
  lines: readonly DiscountableLine[],
): { lineCount: number; goods: Decimal } {
  const eligible = lines.filter(({ variantId }) => isEligible(terms, variantId));
  return {
    lineCount: eligible.length,
    goods: eligible.reduce((sum, { gross }) => sum.plus(gross), new Decimal(0)),
  };
}

/**
 * Each line's share of a discount, in the order of the lines; from 0 to the line's gross (spec §6.7).
 * A percentage is rounded for each line by itself. A fixed amount, or all eligible goods where they are less, is spread in
 * proportion by the largest remainder, ties to the earlier line, so that the shares add up to it exactly.
 * Whether the code may be used at all (dates, caps, minimum) is not decided here.
 */
export function spreadDiscount(terms: DiscountTerms, lines: readonly DiscountableLine[]): Decimal[] {
  const weights = lines.map(({ variantId, gross }) =>
    isEligible(terms, variantId) ? gross : new Decimal(0),
  );
  const value = decimal(terms.value);
  if (terms.discountType === 'Percent') {
    return weights.map((gross) => roundToMinorUnit(gross.times(value).div(100), BASE_CURRENCY));
  }
  const all = weights.reduce((sum, gross) => sum.plus(gross), new Decimal(0));
  return splitProportionally(Decimal.min(value, all), weights, BASE_CURRENCY);
}
