import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { activationFor, luhnDigit } from './activation';

function passesLuhn(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .map((digit, i) => (i % 2 === 0 ? Number(digit) : Number(digit) * 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}

describe('activation data', () => {
  test('when the digits are those of the well-known example, then the check digit is 3', () => {
    expect(luhnDigit('7992739871')).toBe('3');
  });

  test('when any key is given, then the ICCID has 20 digits and passes the Luhn test', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (key) => {
        const { iccid } = activationFor(key, 'SKU');
        expect(iccid).toMatch(/^89\d{18}$/);
        expect(passesLuhn(iccid)).toBe(true);
      }),
    );
  });

  test('when the same key is given twice, then the data are the same; another key has others', () => {
    expect(activationFor('ORD-1', 'SKU')).toEqual(activationFor('ORD-1', 'SKU'));
    expect(activationFor('ORD-1', 'SKU').iccid).not.toBe(activationFor('ORD-2', 'SKU').iccid);
    const { activationCode, smdpAddress, matchingId } = activationFor('ORD-1', 'SKU');
    expect(activationCode).toBe(`LPA:1$${smdpAddress}$${matchingId}`);
  });
});
