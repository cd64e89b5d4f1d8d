import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, splitProportionally } from './index';

const currency = fc.constantFrom('SAR', 'USD', 'KWD', 'JPY');
const digitsOf: Record<string, number> = { SAR: 2, USD: 2, KWD: 3, JPY: 0 };
const weight = fc
  .tuple(fc.bigInt(0n, 10n ** 20n), fc.integer({ min: 0, max: 8 }))
  .map(([n, digits]) => scaled(n, digits));
const weights = fc
  .array(weight, { minLength: 1, maxLength: 40 })
  .filter((all) => all.some((one) => !one.isZero()));
const units = fc.bigInt(0n, 10n ** 25n);

function scaled(value: bigint, digits: number): Decimal {
  return new Decimal(value.toString()).times(new Decimal(10).pow(-digits));
}

const sum = (parts: Decimal[]): Decimal => parts.reduce((a, b) => a.plus(b), new Decimal(0));
const texts = (parts: Decimal[]): string[] => parts.map((part) => part.toFixed());

describe('splitProportionally', () => {
  it('when any total is split over any weights, then the parts are whole minor units and add up to it exactly', () => {
    fc.assert(
      fc.property(currency, units, weights, (code, total, over) => {
        const amount = scaled(total, digitsOf[code] ?? 0);
        const parts = splitProportionally(amount, over, code);
        expect(sum(parts).toFixed()).toBe(amount.toFixed());
        for (const part of parts) {
          expect(part.isNegative() && !part.isZero()).toBe(false);
          expect(part.decimalPlaces()).toBeLessThanOrEqual(digitsOf[code] ?? 0);
        }
      }),
    );
  });

  it('when any total is split, then each part is less than one minor unit from its exact share, and no weight gets nothing', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 12n), weights, (total, over) => {
        const amount = scaled(total, 2);
        const all = sum(over);
        splitProportionally(amount, over, 'SAR').forEach((part, index) => {
          const share = amount.times(over[index] ?? 0).div(all);
          expect(part.minus(share).abs().lessThan('0.01')).toBe(true);
          if (over[index]?.isZero()) expect(part.isZero()).toBe(true);
        });
      }),
    );
  });

  it('when a total is negative, then its parts are those of the positive one with the sign turned', () => {
    fc.assert(
      fc.property(units, weights, (total, over) => {
        const positive = splitProportionally(scaled(total, 2), over, 'SAR');
        const negative = splitProportionally(scaled(-total, 2), over, 'SAR');
        expect(texts(negative)).toEqual(
          texts(positive.map((part) => (part.isZero() ? part : part.negated()))),
        );
      }),
    );
  });

  it('when weights are the same, then earlier ones never get less, and the same split returns the same', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 50 }), (total, count) => {
        const split = (): Decimal[] =>
          splitProportionally(scaled(total, 2), Array<number>(count).fill(7), 'SAR');
        const parts = split();
        parts.slice(1).forEach((part, index) => expect(parts[index]?.greaterThanOrEqualTo(part)).toBe(true));
        expect(texts(split())).toEqual(texts(parts));
      }),
    );
  });

  it.each([
    ['10.00', [1, 1, 1], ['3.34', '3.33', '3.33']],
    ['0.05', [1, 1, 1, 1], ['0.02', '0.01', '0.01', '0.01']],
    ['1.00', ['0.1', '0.2', '0.7'], ['0.1', '0.2', '0.7']],
    ['0.01', [1, 3], ['0', '0.01']],
    ['0.00', [0, 0], ['0', '0']],
    ['0.00', [], []],
  ])('when %s is split over %j, then the parts are %j', (total, over, parts) => {
    expect(texts(splitProportionally(total, over, 'SAR'))).toEqual(parts);
  });

  it.each([
    ['0.001', [1], 'SAR', /finer than the minor unit of SAR/],
    ['1.00', [1, -1], 'SAR', /negative/],
    ['1.00', [0], 'SAR', /no weight above zero/],
    ['1.00', [], 'SAR', /no weight above zero/],
    ['1.00', [1], 'SARR', /"SARR" is not a currency code/],
    ['1.00', [Number.NaN], 'SAR', /not a finite number/],
  ])('when %s over %j in %s cannot be split, then it says why', (total, over, code, message) => {
    expect(() => splitProportionally(total, over, code)).toThrow(message);
  });
});
