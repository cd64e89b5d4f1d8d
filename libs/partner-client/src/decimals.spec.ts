import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimalsAsText, numberOf } from './decimals.ts';

/** Every decimal of at most fifteen digits, as JSON writes it. */
const decimals = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([negative, whole, millionths]) => {
    const fraction = String(millionths).padStart(6, '0').replace(/0+$/, '');
    const text = fraction ? `${whole}.${fraction}` : String(whole);
    return negative && text !== '0' ? `-${text}` : text;
  });

describe('decimals', () => {
  it('when one is read as text from JSON, or sent from text as JSON, then no digit is lost', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const read = decimalsAsText(JSON.parse(`{"amount":${text}}`), new Set());
        expect([read, JSON.stringify(numberOf('amount', text))]).toEqual([{ amount: text }, text]);
      }),
    );
  });

  it('when a number is small or large, then its text has plain digits', () => {
    expect(decimalsAsText([1e-7, -1.25e-9, 1.5e21], new Set())).toEqual([
      '0.0000001',
      '-0.00000000125',
      '1500000000000000000000',
    ]);
  });

  it('when a field holds a count, then it stays a number, also where its name holds a decimal elsewhere', () => {
    const counts = new Set(['page', 'perPhone.limit']);
    expect(
      decimalsAsText(
        { page: 2, perPhone: { limit: 3 }, daily: { limit: 50.5 }, lines: [{ page: 1 }], none: null },
        counts,
      ),
    ).toEqual({
      page: 2,
      perPhone: { limit: 3 },
      daily: { limit: '50.5' },
      lines: [{ page: 1 }],
      none: null,
    });
  });

  it.each(['', '1e3', '25,50', ' 5', '1234567890123.456'])(
    'when text is %j, which JSON could not carry or is no decimal, then it is refused with the name of the field',
    (text) => expect(() => numberOf('amount', text)).toThrow(`amount must be a decimal`),
  );
});
