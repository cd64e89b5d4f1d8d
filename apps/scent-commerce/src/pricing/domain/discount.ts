import { Decimal, decimal, splitProportionally } from '@reseller/money';
import { given, minus, over, plus, sumOf, times } from './expression';
import { sar, wholeSar, type Figure } from './figure';
import { BASE_CURRENCY, type DiscountTerms } from './terms';

/** What a discount needs to know of a line: `gross` is list price × quantity, whole halalas. */
export interface DiscountableLine {
  variantId: string;
  gross: Decimal;
}

/** A line's share of a discount, in whole halalas. */
export interface DiscountShare {
  /** The share in proportion to the line's goods; only where halalas left over made the share another. */
  proportionalShare: Figure | undefined;
  discountShare: Figure;
}

/** The lines a discount counts for, together and each. */
interface SpreadDiscount {
  /** The goods of those lines before the discount. */
  discountedGoods: Figure;
  /** In the order of the lines. */
  shares: DiscountShare[];
}

const HUNDRED = given(100);
const HALALA = given('0.01');

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
 * Each line's share of a discount; from 0 to the line's gross (spec §6.7).
 * A percentage is rounded for each line by itself. A fixed amount, or all eligible goods where they are less, is spread in
 * proportion by the largest remainder, ties to the earlier line, so that the shares add up to it exactly.
 * Whether the code may be used at all (dates, caps, minimum) is not decided here.
 */
export function spreadDiscount(
  { discountType, value }: Pick<DiscountTerms, 'discountType' | 'value'>,
  lines: readonly { gross: Figure; isDiscounted: boolean }[],
): SpreadDiscount {
  const discounted = lines.filter(({ isDiscounted }) => isDiscounted);
  const discountedGoods = wholeSar(sumOf(discounted.map(({ gross }) => gross)));
  const shares =
    discountType === 'Percent'
      ? discounted.map(({ gross }) => unsplit(sar(over(times(gross, given(value)), HUNDRED))))
      : splitAmount(value, discountedGoods, discounted);
  const inTurn = shares.values();
  return {
    discountedGoods,
    shares: lines.map(({ isDiscounted }) => (isDiscounted ? inTurn.next().value : undefined) ?? NO_SHARE),
  };
}

// The halalas are those of the largest remainder: each line's share rounded by itself is at most one away from it.
function splitAmount(
  value: string,
  discountedGoods: Figure,
  lines: readonly { gross: Figure }[],
): DiscountShare[] {
  if (discountedGoods.value.isZero()) return lines.map(() => NO_SHARE);
  const amount = Decimal.min(decimal(value), discountedGoods.value);
  const parts = splitProportionally(
    amount,
    lines.map(({ gross }) => gross.value),
    BASE_CURRENCY,
  );
  const whole = given(amount, 2);
  return lines.map(({ gross }, index) => {
    const share = sar(over(times(whole, gross), discountedGoods));
    const leftOver = (parts[index] ?? share.value).comparedTo(share.value);
    if (leftOver === 0) return unsplit(share);
    const adjusted = leftOver > 0 ? plus(share, HALALA) : minus(share, HALALA);
    return { proportionalShare: share, discountShare: wholeSar(adjusted) };
  });
}

const unsplit = (discountShare: Figure): DiscountShare => ({ proportionalShare: undefined, discountShare });

/** The share of a line that a discount does not count for. */
export const NO_SHARE: DiscountShare = unsplit(wholeSar(given(0, 2)));
