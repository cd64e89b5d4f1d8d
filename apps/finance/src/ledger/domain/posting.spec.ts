import { describe, expect, it } from '@jest/globals';
import { decimal, Decimal } from '@reseller/money';
import fc from 'fast-check';
import { unitsBack, type LineAmounts } from '../../settlement/domain/settlement';
import { postingOf } from './posting';
import type { MoneyOperation } from './wallet-operation';

const cents = fc.integer({ min: 0, max: 99_999 }).map((halalas) => (halalas / 100).toFixed(2));
const amounts = fc.record({ goods: cents, goodsVat: cents, commission: cents, commissionVat: cents });
const lines: fc.Arbitrary<LineAmounts[]> = fc
  .array(amounts, { minLength: 1, maxLength: 4 })
  .map((some) => some.map((one, n) => ({ lineId: `line ${n}`, quantity: 1, ...one })));
const keys = { reservationKey: 'r', operationKey: 'o', idempotencyKey: 'i', notes: '' };
const operation: fc.Arbitrary<MoneyOperation> = fc
  .oneof(
    fc.record({
      kind: fc.constantFrom('capture' as const, 'refund' as const, 'credit' as const, 'adjust' as const),
      amount: fc.integer({ min: 1, max: 99_999 }).map((halalas) => (halalas / 100).toFixed(2)),
    }),
    fc.record({ kind: fc.constantFrom('settle' as const, 'refund_units' as const), lines }),
  )
  .map((values) => ({ ...keys, ...values }) as MoneyOperation);

const sum = (values: readonly string[]): string =>
  values.reduce((total, value) => total.plus(value), new Decimal(0)).toFixed(2);

describe('the lines of a movement', () => {
  it('when any operation is posted, then its lines sum to zero, none is zero, and the wallet’s come first and add up', () => {
    fc.assert(
      fc.property(operation, (one) => {
        const { lines: posted, net, walletLines, debits } = postingOf(one);
        expect(sum(posted.map(({ amount }) => amount))).toBe('0.00');
        expect(posted.every(({ amount }) => !decimal(amount).isZero())).toBe(true);
        expect(posted.map(({ line }) => line)).toEqual(posted.map((_, index) => index + 1));
        const own = posted.slice(0, walletLines);
        expect(own.every(({ account }) => account === undefined)).toBe(true);
        expect(posted.slice(walletLines).every(({ account }) => account !== undefined)).toBe(true);
        own.forEach((line, index) => {
          const before = own.slice(0, index + 1);
          expect(line.total).toBe(sum(before.map(({ amount }) => amount)));
          expect(line.debits).toBe(before.filter(({ amount }) => amount.startsWith('-')).length);
        });
        expect(net).toBe(sum(own.map(({ amount }) => amount)));
        expect(debits).toBe(own.at(-1)?.debits ?? 0);
      }),
    );
  });

  it('when units come back in any parts, then all of them are the whole, and no more come back', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(amounts, parts, (figures, units) => {
        const quantity = units.reduce((total, part) => total + part, 0);
        let refundedQuantity = 0;
        const back = units.map((part) => {
          const settled = { lineId: 'a', quantity, refundedQuantity, ...figures };
          refundedQuantity += part;
          return unitsBack([settled], [{ lineId: 'a', quantity: part }])?.[0];
        });
        for (const figure of ['goods', 'goodsVat', 'commission', 'commissionVat'] as const) {
          expect(sum(back.map((line) => line?.[figure] ?? ''))).toBe(figures[figure]);
        }
        const all = { lineId: 'a', quantity, refundedQuantity, ...figures };
        expect(unitsBack([all], [{ lineId: 'a', quantity: 1 }])).toBeUndefined();
      }),
    );
  });
});
