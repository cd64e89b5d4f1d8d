import { describe, expect, it } from '@jest/globals';
import { convertForDisplay, Decimal } from '@reseller/money';
import fc from 'fast-check';
import { presentDisplayAmount } from './values';

const decimals = (below: bigint, digits: number) =>
  fc
    .bigInt(1n, below * 10n ** BigInt(digits) - 1n)
    .map((n) => new Decimal(n.toString()).div(10 ** digits).toFixed(digits));

describe('display siblings (spec §3.3)', () => {
  it('when the rate is allowed and the amount under ten million SAR, then the sibling is there, exact as JSON', () => {
    const currency = fc.constantFrom('USD', 'JPY', 'IDR');
    fc.assert(
      fc.property(decimals(10_000_000n, 2), decimals(1_000_000n, 6), currency, (amount, rate, code) => {
        const shown = JSON.stringify(presentDisplayAmount(amount, { currency: code, rate }));
        expect(new Decimal(shown).equals(convertForDisplay(amount, rate, code))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('when amount and rate are any, then the sibling is exact as JSON or null', () => {
    fc.assert(
      fc.property(decimals(10n ** 13n, 2), decimals(10n ** 12n, 6), (amount, rate) => {
        const shown = presentDisplayAmount(amount, { currency: 'KWD', rate });
        if (shown !== null)
          expect(new Decimal(JSON.stringify(shown)).equals(convertForDisplay(amount, rate, 'KWD'))).toBe(
            true,
          );
      }),
      { numRuns: 1_000 },
    );
    expect(presentDisplayAmount('9123456789012.34', { currency: 'USD', rate: '123456.789012' })).toBeNull();
  });
});
