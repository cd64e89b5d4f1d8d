import { decimal, type Decimal } from '@reseller/money';

/** The least part of a line's goods that must remain after commission and cost (spec §6.5). */
const MARGIN_FLOOR = decimal('0.05');

/** What a line earns and costs us: `unitCost` is the variant's live cost, before VAT. */
interface CostedLine {
  quantity: number;
  goods: Decimal;
  commission: Decimal;
  unitCost: string | Decimal;
}

/** Why an order may not be taken at these prices; undefined when it may. A price below cost goes before a thin margin. */
export function assessMargin(
  lines: readonly CostedLine[],
): 'BUSINESS_PRICE_BELOW_COST' | 'BUSINESS_MARGIN_BELOW_FLOOR' | undefined {
  // Multiplied and never divided: a quotient would be rounded.
  const costed = lines.map(({ quantity, goods, commission, unitCost }) => ({
    goods,
    commission,
    cost: decimal(unitCost).times(quantity),
  }));
  if (costed.some(({ goods, cost }) => goods.lessThan(cost))) return 'BUSINESS_PRICE_BELOW_COST';
  const isThin = costed.some(({ goods, commission, cost }) =>
    goods.minus(commission).minus(cost).lessThan(goods.times(MARGIN_FLOOR)),
  );
  return isThin ? 'BUSINESS_MARGIN_BELOW_FLOOR' : undefined;
}
