import { describe, expect, it } from '@jest/globals';
import { Decimal } from '@reseller/money';
import { findStepFault } from '@reseller/testing';
import fc from 'fast-check';
import { explainCart, explainOrder, type PriceExplanation } from './explain-price';
import { given, minus, over, plus, times } from './expression';
import { sar } from './figure';
import { priceFrozen, type FrozenLine } from './frozen-pricing';
import { priceBasis, unitAmountOf, type LineBasis, type PricedCart } from './price-cart';

const decimals = (max: number, digits: number) =>
  fc.integer({ min: 0, max }).map((units) => new Decimal(units).div(10 ** digits));
const line = fc.record({
  quantity: fc.integer({ min: 1, max: 999 }),
  listPrice: fc.oneof(decimals(100_000, 2), decimals(2_000_000_000, 2)).map((price) => price.toFixed(2)),
  vatRate: fc.constantFrom('0', '0.15').map((rate) => new Decimal(rate)),
  commissionRate: decimals(1_000_000, 6),
  isDiscounted: fc.boolean(),
});
const discount = fc.oneof(
  decimals(10_000, 2).map((value) => ({ discountType: 'Percent' as const, value: value.toFixed(2) })),
  fc
    .oneof(decimals(50_000, 2), decimals(1_000_000_000, 2))
    .map((value) => ({ discountType: 'FixedAmount' as const, value: value.toFixed(2) })),
);
const basis = fc.record({
  lines: fc
    .array(line, { maxLength: 8 })
    .map((all) => all.map((one, index): LineBasis => ({ variantId: `v${index}`, ...one }))),
  discount: fc.option(
    discount.map((one) => ({ code: 'CODE', ...one })),
    { nil: undefined },
  ),
  commissionVatRate: fc.constantFrom('0', '0.15').map((rate) => new Decimal(rate)),
});

/** A cart is read as it failed: comparing thousands of smaller ones would take longer than the reader. */
const unshrunk = { endOnFailure: true };

const allSteps = ({ lines, totals }: PriceExplanation) => [...lines.flatMap(({ steps }) => steps), ...totals];
const faultsOf = (explanation: PriceExplanation) =>
  allSteps(explanation).flatMap((step) => findStepFault(step) ?? []);
const resultsOf = (steps: { name: string; result: string }[]) =>
  steps.map(({ name, result }) => [name, result]);

/** The figures that partners see in an order, from the priced cart. */
const orderFigures = ({ lines, totals, discount: taken }: PricedCart) => ({
  lines: lines.map((one) => [
    ['lineTotal', one.goods.text()],
    ['unitAmount', unitAmountOf(one).text()],
    ['partnerCommission', one.commission.text()],
    ['lineGoodsVatAmount', one.goodsVat.text()],
    ['lineCommissionVatAmount', one.commissionVat.text()],
  ]),
  totals: [
    ...(taken ? [['discountAmount', taken.amount.text()]] : []),
    ['totalAmount', totals.goods.text()],
    ['totalCommission', totals.commission.text()],
    ['totalGoodsVatAmount', totals.goodsVat.text()],
    ['totalCommissionVatAmount', totals.commissionVat.text()],
    ['totalAmountWithVat', totals.chargedWithVat.text()],
    ['totalCommissionWithVat', totals.commissionWithVat.text()],
  ],
});

/** What an order keeps of a priced cart. */
const frozenLines = ({ lines }: PricedCart, isWhole = true): FrozenLine[] =>
  lines.map(({ basis: of, discountShare }) => ({
    ...of,
    vatRate: of.vatRate.toFixed(),
    commissionRate: of.commissionRate.toFixed(),
    discountShare: discountShare.text(),
    isDiscounted: isWhole ? of.isDiscounted : undefined,
  }));

describe('a price explanation (spec §17.2)', () => {
  it('when any cart is explained, then each step’s expression is its unrounded result, which rounds to its result', () => {
    fc.assert(
      fc.property(basis, (of) => {
        const priced = priceBasis(of);
        expect(faultsOf(explainOrder(priced))).toEqual([]);
        expect(faultsOf(explainCart(priced))).toEqual([]);
      }),
      { ...unshrunk, numRuns: 300 },
    );
  });

  it('when any order is explained, then its last steps are its figures', () => {
    fc.assert(
      fc.property(basis, (of) => {
        const priced = priceBasis(of);
        const { lines, totals } = orderFigures(priced);
        const explained = explainOrder(priced);
        expect(explained.lines.map(({ steps }) => resultsOf(steps).slice(-5))).toEqual(lines);
        expect(resultsOf(explained.totals).slice(-totals.length)).toEqual(totals);
      }),
      unshrunk,
    );
  });

  it('when any numbers of steps are followed, then each was given or is the result of a step', () => {
    fc.assert(
      fc.property(basis, (of) => {
        const explained = explainOrder(priceBasis(of));
        const known = new Set(allSteps(explained).map(({ result }) => result));
        const numbers = [100, '0.01', of.commissionVatRate, ...(of.discount ? [of.discount.value] : [])];
        for (const one of of.lines)
          numbers.push(one.listPrice, one.quantity, one.vatRate, one.commissionRate);
        for (const number of numbers)
          known.add(new Decimal(number).toFixed()).add(new Decimal(number).toFixed(2));
        const used = allSteps(explained).flatMap(({ expression }) => expression.match(/[\d.]+/g) ?? []);
        expect(used.filter((number) => !known.has(number))).toEqual([]);
      }),
      unshrunk,
    );
  });

  it('when any order’s prices are kept and computed again, then they are explained in the same words', () => {
    fc.assert(
      fc.property(basis, (of) => {
        const priced = priceBasis(of);
        const again = priceFrozen({ ...of, lines: frozenLines(priced) });
        expect(explainOrder(again)).toEqual(explainOrder(priced));
      }),
      unshrunk,
    );
  });

  it('when it was not kept for which lines the discount counted, then every figure is explained all the same', () => {
    fc.assert(
      fc.property(basis, (of) => {
        const priced = priceBasis(of);
        const again = priceFrozen({ ...of, lines: frozenLines(priced, false) });
        expect(orderFigures(again)).toEqual(orderFigures(priced));
        expect(faultsOf(explainOrder(again))).toEqual([]);
      }),
      unshrunk,
    );
  });

  it.each([
    ['50.00', ['10.00', '10.00', '10.00', '60.00'], [[], [], ['5.56 − 0.01'], []]],
    ['10.00', ['10.00', '10.00', '10.00'], [['3.33 + 0.01'], [], []]],
  ])(
    'when %s off leaves halalas over, then the line that gives or gets one has a step for it',
    (value, prices, expected) => {
      const of = { quantity: 1, vatRate: new Decimal(0), commissionRate: new Decimal(0), isDiscounted: true };
      const priced = priceBasis({
        lines: prices.map((listPrice, index) => ({ ...of, variantId: `v${index}`, listPrice })),
        discount: { code: 'CODE', discountType: 'FixedAmount', value },
        commissionVatRate: new Decimal(0),
      });
      const adjusted = explainOrder(priced).lines.map(({ steps }) =>
        steps.flatMap(({ name, expression }, index) =>
          name === 'discountShare' && steps[index - 1]?.name === 'proportionalShare' ? [expression] : [],
        ),
      );
      expect(adjusted).toEqual(expected);
    },
  );

  it('when a quotient comes close to the middle of two halalas, then enough of its decimals are shown', () => {
    // Of 0.034999999999999996666… twelve decimals would round up.
    const third = sar(over(given('0.10499999999999999'), given(3)));
    expect([third.text(), third.unrounded()]).toEqual(['0.03', '0.034999999999999997']);
  });

  it('when the twelfth decimal of a quotient is a zero, then another is shown, so that a number has twelve too', () => {
    // 0.0123456790123…, and 0.012345679012345679012… × 1000.
    expect(sar(over(given('1'), given('81'))).unrounded()).toBe('0.012345679012');
    expect(sar(over(given('1000'), given('81'))).unrounded()).toBe('12.345679012346');
    // 0.1234567901201….
    expect(sar(over(given('0.3703703703603'), given('3'))).unrounded()).toBe('0.1234567901201');
  });

  it('when terms bind less than what they stand in, then they have parentheses, and else none', () => {
    const [a, b, c] = [given(1), given(2), given(3)];
    expect(times(plus(a, b), c).text()).toBe('(1 + 2) × 3');
    expect(over(a, times(b, c)).text()).toBe('1 ÷ (2 × 3)');
    expect(minus(minus(a, b), minus(b, c)).text()).toBe('1 − 2 − (2 − 3)');
    expect(plus(times(a, b), c).text()).toBe('1 × 2 + 3');
  });
});
