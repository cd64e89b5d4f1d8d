import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InexactNumber, parseJsonObject } from './parse-json';

const parse = (text: string) => parseJsonObject(Buffer.from(text));

describe('parseJsonObject (spec §3.1)', () => {
  it.each(['10.1', '10.10', '1e2', '-0.5', '9999999999999.99', '0.000001', '1E+2'])(
    'when a number is written %s, then it is that number',
    (written) => {
      expect(parse(`{"a":[${written}]}`)).toEqual({ a: [Number(written)] });
    },
  );

  it.each(['10.10000000000000000001', '9007199254740993', '1e400', '-1e400', `0.${'1'.repeat(80)}`])(
    'when a double cannot hold %s, then it is no number to any schema',
    (written) => {
      expect(parse(`{"a":${written}}`)['a']).toBeInstanceOf(InexactNumber);
    },
  );

  it('when any amount with two decimals below 10^13 is written, then its text comes back', () => {
    const amounts = fc.tuple(fc.integer({ min: 0, max: 9_999_999_999_999 }), fc.integer({ min: 1, max: 99 }));
    fc.assert(
      fc.property(amounts, ([whole, cents]) => {
        const written = `${whole}.${String(cents).padStart(2, '0')}`;
        expect(String(parse(`{"a":${written}}`)['a'])).toBe(written.replace(/0$/, ''));
      }),
    );
  });

  it.each(['', '[]', 'null', '1e999', '"a"', '{"a":', '{"a":1}x', `${'{"a":'.repeat(15_000)}`])(
    'when the text is %.20s, then it is VALIDATION_MALFORMED_JSON',
    (text) => {
      expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_MALFORMED_JSON' }));
    },
  );

  it('when the bytes are no UTF-8, then they are VALIDATION_MALFORMED_JSON', () => {
    expect(() => parseJsonObject(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(
      expect.objectContaining({ code: 'VALIDATION_MALFORMED_JSON' }),
    );
  });
});
