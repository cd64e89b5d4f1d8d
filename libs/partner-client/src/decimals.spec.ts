import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { numberOf, parseWithDecimalsAsText } from './decimals.ts';

/** Every decimal of at most fifteen digits, as JSON writes it. */
const decimals = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([negative, whole, millionths]) => {
    const fraction = String(millionths).padStart(6, '0').replace(/0+$/, '');
    const text = fraction ? `${whole}.${fraction}` : String(whole);
    return negative && text !== '0' ? `-${text}` : text;
  });

const COUNTS = new Set(['page', 'perPhone.limit']);
const read = (json: string): unknown => parseWithDecimalsAsText(json, COUNTS);

describe('decimals', () => {
  it('when one is read as text from JSON, or sent from text as JSON, then no digit is lost', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        expect([read(`{"amount":${text}}`), JSON.stringify(numberOf('amount', text))]).toEqual([
          { amount: text },
          text,
        ]);
      }),
    );
    expect(read('[0.12345678901234567890123]')).toEqual(['0.12345678901234567890123']);
  });

  it('when a number is written with an exponent, then its text has plain digits', () => {
    expect(read('[1e-7,-1.25E-9,1.5e+21]')).toEqual([
      '0.0000001',
      '-0.00000000125',
      '1500000000000000000000',
    ]);
  });

  it('when a field holds a count, then it stays a number, also where its name holds a decimal elsewhere', () => {
    const json = {
      page: 2,
      perPhone: { limit: 3 },
      daily: { limit: 50.5 },
      lines: [{ page: 1 }],
      none: null,
    };
    expect(read(JSON.stringify(json))).toEqual({ ...json, daily: { limit: '50.5' } });
  });

  it('when text holds digits, quotes or what looks like JSON, then it stays as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const json = { text: `12.5 "${text}"`, nested: JSON.stringify(value), 'a "3"': [text, true, null] };
        expect(read(JSON.stringify(json))).toEqual(json);
      }),
    );
  });

  it.each(['', '1e3', '25,50', ' 5', '1234567890123.456'])(
    'when text is %j, which JSON could not carry or is no decimal, then it is refused with the name of the field',
    (text) => expect(() => numberOf('amount', text)).toThrow('amount must be a decimal'),
  );
});
