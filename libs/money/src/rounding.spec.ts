import { describe, expect, it } from '@jest/globals';
import DecimalJs from 'decimal.js';
import fc from 'fast-check';
import {
  convertForDisplay,
  Decimal,
  decimal,
  findDisplayNumber,
  findJsonNumber,
  isCurrencyCode,
  isExactJsonNumber,
  minorUnitDigits,
  roundToMinorUnit,
  toExactJsonNumber,
  toFixedString,
  toJsonNumber,
} from './index';

const amount = fc
  .tuple(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.integer({ min: 0, max: 9 }))
  .map(([n, digits]) => new Decimal(n.toString()).times(new Decimal(10).pow(-digits)));

describe('rounding (spec §3.2)', () => {
  it.each([
    ['2.345', 'SAR', '2.35'],
    ['-2.345', 'SAR', '-2.35'],
    ['2.344999', 'SAR', '2.34'],
    ['1.0005', 'KWD', '1.001'],
    ['0.5', 'JPY', '1'],
    ['-0.5', 'JPY', '-1'],
    ['-0.004', 'SAR', '0'],
  ])('when %s %s is rounded, then it is %s', (value, currency, rounded) => {
    expect(roundToMinorUnit(value, currency).toFixed()).toBe(rounded);
  });

  it('when any amount is rounded, then it is symmetric about zero, at most half a unit off, and stays when rounded again', () => {
    fc.assert(
      fc.property(amount, (value) => {
        const rounded = roundToMinorUnit(value, 'SAR');
        expect(roundToMinorUnit(value.negated(), 'SAR').plus(rounded).isZero()).toBe(true);
        expect(rounded.minus(value).abs().lessThanOrEqualTo('0.005')).toBe(true);
        expect(roundToMinorUnit(rounded, 'SAR').equals(rounded)).toBe(true);
      }),
    );
  });

  it.each(['USD', 'KWD', 'JPY'])(
    'when any amount is converted to %s as a JSON number, then it is the rounded product to the last digit, or none',
    (currency) => {
      const text = fc
        .tuple(fc.bigInt(0n, 10n ** 14n), fc.integer({ min: 0, max: 7 }))
        .map(([n, digits]) => new Decimal(n.toString()).times(new Decimal(10).pow(-digits)).toFixed());
      fc.assert(
        fc.property(text, text, fc.boolean(), (amount, rate, isNegative) => {
          const signed = isNegative ? `-${amount}` : amount;
          const exact = findJsonNumber(convertForDisplay(signed, rate, currency));
          expect(findDisplayNumber(signed, rate, currency)).toBe(exact);
        }),
        { numRuns: 2_000 },
      );
    },
  );

  it('when a product lies in the middle of two minor units, then the larger one is shown', () => {
    expect(findDisplayNumber('0.05', '0.1', 'USD')).toBe(0.01);
    expect(findDisplayNumber('10.05', '0.266667', 'USD')).toBe(2.68);
    expect(findDisplayNumber('7', '2', 'JPY')).toBe(14);
    expect(findDisplayNumber('7', '2', 'KWD')).toBe(14);
  });

  it('when an amount is converted, then the product is rounded once', () => {
    expect(convertForDisplay('10.05', '0.266667', 'USD').toFixed()).toBe('2.68');
    expect(convertForDisplay('1', '0.0815', 'KWD').toFixed()).toBe('0.082');
  });
});

describe('reading and showing amounts', () => {
  it.each(['', ' 1', '1e3', '0x10', 'NaN', 'Infinity', '1,5', '١', '.5', '5.'])(
    'when the text is %j, then it is refused',
    (text) => {
      expect(() => decimal(text)).toThrow(/is not a decimal number/);
    },
  );

  it('when the decimal is of another precision, then it goes on with ours', () => {
    const other = DecimalJs.clone({ precision: 5 });
    expect(decimal(new other('1.23456')).times('1.00001').toFixed()).toBe('1.2345723456');
  });

  it.each([Number.NaN, Infinity, -Infinity, new Decimal(Number.NaN)])(
    'when the value is %s, then it is refused',
    (value) => {
      expect(() => decimal(value)).toThrow(/is not a finite number/);
    },
  );

  it('when an amount with up to 15 digits is made a JSON number, then JSON shows exactly its digits', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 15n) + 1n, 10n ** 15n - 1n),
        fc.integer({ min: 0, max: 6 }),
        (n, digits) => {
          const value = new Decimal(n.toString()).times(new Decimal(10).pow(-digits));
          for (const given of [value, value.toFixed(digits), `-${value.abs().toFixed(digits)}`]) {
            expect(new Decimal(JSON.stringify(toJsonNumber(given))).equals(given)).toBe(true);
          }
        },
      ),
    );
  });

  it.each(['-0', '-0.00', '-0.0000000000000000'])(
    'when %s is made a JSON number, then it has no sign',
    (zero) => {
      expect(Object.is(toJsonNumber(zero), 0)).toBe(true);
    },
  );

  it('when a JSON number cannot carry every digit, then it is refused', () => {
    expect(() => toJsonNumber('12345678901234567.89')).toThrow(/more digits than a JSON number can carry/);
  });

  it.each(['28.6875', '33.333333333333', '-0.5', '12345678901234567.123456789012', '-9007199254740993'])(
    'when %s is written as a JSON number of any length, then every digit is there',
    (value) => {
      const exact = toExactJsonNumber(value);
      expect(isExactJsonNumber(exact)).toBe(true);
      expect(JSON.stringify({ value: exact })).toBe(`{"value":${value}}`);
    },
  );

  it.each([
    ['1e-7', '0.0000001', 7],
    ['0', '0.00', 2],
    ['-0.001', '0.00', 2],
    ['1.005', '1.01', 2],
    ['123456789012345678901234567890.125', '123456789012345678901234567890.13', 2],
  ])('when %s is shown, then it is %s', (value, text, digits) => {
    expect(toFixedString(new Decimal(value), digits)).toBe(text);
  });
});

describe('currencies', () => {
  it('when a currency is known, then its minor unit is that of ISO 4217', () => {
    expect(['SAR', 'USD', 'KWD', 'BHD', 'JPY', 'CLF'].map(minorUnitDigits)).toEqual([2, 2, 3, 3, 0, 4]);
  });

  it.each(['sar', 'SA', 'ABC', '', 'toString'])('when the currency is %j, then it is refused', (code) => {
    expect(isCurrencyCode(code)).toBe(false);
    expect(() => minorUnitDigits(code)).toThrow(/is not a currency code of ISO 4217/);
  });
});
