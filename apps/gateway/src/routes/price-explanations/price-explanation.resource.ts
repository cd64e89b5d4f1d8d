import type { PriceExplanation, PriceStep } from '@reseller/contracts';
import { isExactJsonNumber, toExactJsonNumber, toJsonNumber } from '@reseller/money';
import { present } from '@reseller/presenters';
import { z } from 'zod';
import { queryBoolean } from '../../fields/request-fields';
import { id } from '../../fields/response-fields';

const step = z
  .strictObject({
    name: z.string().meta({
      description:
        'The field that shows the figure, or a step on the way to one: goodsBeforeDiscount, discountShare and others.',
    }),
    expression: z.string().meta({
      description:
        'Decimal numbers, + − × ÷ (U+002B, U+2212, U+00D7, U+00F7) and parentheses; × and ÷ before + and −.',
    }),
    result: z.number().meta({
      description:
        'The figure in SAR: unroundedResult rounded half away from zero to two decimals, of unitAmount to four.',
    }),
    unroundedResult: z.custom<number>(isExactJsonNumber).meta({
      description:
        'The value of the expression; of a division that does not end at least twelve decimals. It may have more digits than ' +
        'a double holds.',
      // Without a format clients take what has most digits, such as BigDecimal.
      override: { type: 'number' },
    }),
  })
  .meta({ id: 'PriceStep' });

/** How every figure of an order, a preview or a quote came about. */
export const priceExplanation = z
  .strictObject({
    lines: z.array(
      z.strictObject({
        variantId: id('The line’s variant.'),
        quantity: z.int(),
        steps: z.array(step).meta({ description: 'The line’s figures last.' }),
      }),
    ),
    totals: z.array(step).meta({ description: 'The totals last.' }),
  })
  .meta({ id: 'PriceExplanation' });

/** The query parameter of previews and quotes. */
export const explain = queryBoolean(
  'Whether to explain how the prices came about, in `explanation`.',
).optional();

/** An explanation as partners read it. */
export function presentExplanation(message: PriceExplanation | undefined): z.input<typeof priceExplanation> {
  const { lines, totals } = present(message, 'explanation');
  return {
    lines: lines.map(({ variantId, quantity, steps }) => ({
      variantId,
      quantity,
      steps: steps.map(presentStep),
    })),
    totals: totals.map(presentStep),
  };
}

/** `explanation` where one was requested, and else no key. */
export const presentOptionalExplanation = (message: PriceExplanation | undefined) =>
  message ? { explanation: presentExplanation(message) } : {};

const presentStep = ({ name, expression, result, unroundedResult }: PriceStep): z.input<typeof step> => ({
  name,
  expression,
  result: toJsonNumber(result),
  unroundedResult: toExactJsonNumber(unroundedResult),
});

const exampleStep = (name: string, expression: string, result: number, unroundedResult = result) => ({
  name,
  expression,
  result,
  unroundedResult,
});

/** The example order's: one line of 2 × 95.00 SAR. */
export const examplePriceExplanation = {
  lines: [
    {
      variantId: '019a2f42-3c2d-7e55-8b1a-3f4e5d6c7b93',
      quantity: 2,
      steps: [
        exampleStep('listPrice', '95.00', 95),
        exampleStep('goodsBeforeDiscount', '95.00 × 2', 190),
        exampleStep('lineTotal', '190.00', 190),
        exampleStep('unitAmount', '190.00 ÷ 2', 95),
        exampleStep('partnerCommission', '190.00 × 0.1', 19),
        exampleStep('lineGoodsVatAmount', '190.00 × 0.15', 28.5),
        exampleStep('lineCommissionVatAmount', '19.00 × 0.15', 2.85),
      ],
    },
  ],
  totals: [
    exampleStep('totalAmount', '190.00', 190),
    exampleStep('totalCommission', '19.00', 19),
    exampleStep('totalGoodsVatAmount', '28.50', 28.5),
    exampleStep('totalCommissionVatAmount', '2.85', 2.85),
    exampleStep('totalAmountWithVat', '190.00 + 28.50', 218.5),
    exampleStep('totalCommissionWithVat', '19.00 + 2.85', 21.85),
  ],
};
