import type { Figure } from './figure';
import { unitAmountOf, type PricedCart, type PricedLine } from './price-cart';

/** How one figure came about, all of it as text (spec §17.2). */
export interface PriceStep {
  /** A field's name, where the figure is one. */
  name: string;
  expression: string;
  result: string;
  unroundedResult: string;
}

/** How every figure of a cart or an order came about. */
export interface PriceExplanation {
  lines: { variantId: string; quantity: number; steps: PriceStep[] }[];
  totals: PriceStep[];
}

/** Figures by the names that partners know them by, in the order in which they are read; what there is none of is left out. */
type Named = readonly (readonly [name: string, figure: Figure | undefined])[];

/** The figures of an order, those that partners read in it last. */
export function explainOrder(cart: PricedCart): PriceExplanation {
  return explain(cart, {
    line: (line) => [
      ['lineTotal', line.goods],
      ['unitAmount', unitAmountOf(line)],
      ['partnerCommission', line.commission],
      ['lineGoodsVatAmount', line.goodsVat],
      ['lineCommissionVatAmount', line.commissionVat],
    ],
    totals: orderTotals,
  });
}

/** The figures of a preview or a quote: those that an order of it would have, and last its own. */
export function explainCart(cart: PricedCart): PriceExplanation {
  return explain(cart, {
    line: (line) => [
      ['lineTotal', line.goods],
      ['unitAmount', unitAmountOf(line)],
      ['partnerCommission', line.commission],
      ['lineGoodsVatAmount', line.goodsVat],
      ['lineTotalWithVat', line.totalWithVat],
      ['lineCommission', line.commission],
      ['lineCommissionVatAmount', line.commissionVat],
      ['lineNetAfterCommission', line.netAfterCommission],
    ],
    totals: (priced) => [
      ...orderTotals(priced),
      ['amount', priced.discount?.amount],
      ['chargedWithVat', priced.totals.chargedWithVat],
      ['commissionWithVat', priced.totals.commissionWithVat],
      ['netAfterCommission', priced.totals.netAfterCommission],
    ],
  });
}

const orderTotals = ({ totals, discount }: PricedCart): Named => [
  ['discountAmount', discount?.amount],
  ['totalAmount', totals.goods],
  ['totalCommission', totals.commission],
  ['totalGoodsVatAmount', totals.goodsVat],
  ['totalCommissionVatAmount', totals.commissionVat],
  ['totalAmountWithVat', totals.chargedWithVat],
  ['totalCommissionWithVat', totals.commissionWithVat],
];

function explain(
  cart: PricedCart,
  named: { line: (line: PricedLine) => Named; totals: (cart: PricedCart) => Named },
): PriceExplanation {
  const isDiscounted = cart.discount !== undefined;
  return {
    lines: cart.lines.map((line) => ({
      variantId: line.basis.variantId,
      quantity: line.basis.quantity,
      steps: toSteps([
        ['listPrice', line.listPrice],
        ['goodsBeforeDiscount', line.gross],
        ['proportionalShare', line.proportionalShare],
        ['discountShare', isDiscounted ? line.discountShare : undefined],
        ...named.line(line),
      ]),
    })),
    totals: toSteps([['discountedGoods', cart.discount?.discountedGoods], ...named.totals(cart)]),
  };
}

const toSteps = (named: Named): PriceStep[] =>
  named.flatMap(([name, figure]) => (figure ? [toStep(name, figure)] : []));

const toStep = (name: string, figure: Figure): PriceStep => ({
  name,
  expression: figure.expression.text(),
  result: figure.text(),
  unroundedResult: figure.unrounded(),
});
