import { describe, expect, it } from '@jest/globals';
import { isAppError } from '@reseller/errors';
import fc from 'fast-check';
import {
  ALLOWED_MOVES,
  isFinal,
  mismatchedFields,
  moveStatus,
  ORDER_STATUSES,
  type OrderStatus,
  type Product,
} from './order';

const status = fc.constantFrom(...ORDER_STATUSES);

const vendorProduct = fc.constantFrom('Topup' as const, 'Esim' as const);

describe('moveStatus', () => {
  it('when any two statuses of a scent order are given, then only the moves of spec §7.3 are made', () => {
    const spec = new Set([
      'Pending>Processing',
      'Processing>PartiallyDelivered',
      'Processing>Completed',
      'Processing>Cancelled',
      'PartiallyDelivered>Completed',
      'Completed>PartiallyReturned',
      'Completed>Returned',
      'PartiallyReturned>Returned',
    ]);
    fc.assert(
      fc.property(status, status, (from, to) => {
        expect(isMoved('Scent', from, to)).toBe(from === to || spec.has(`${from}>${to}`));
      }),
      { numRuns: 500 },
    );
  });

  it('when any two statuses are given, then only the moves of spec §4.4 are made', () => {
    const spec = new Set([
      'Pending>Processing',
      'Pending>Cancelled',
      'Processing>Completed',
      'Processing>Failed',
      'Processing>InterventionRequired',
      'InterventionRequired>Completed',
      'InterventionRequired>Failed',
      'Completed>Reversed',
    ]);
    fc.assert(
      fc.property(vendorProduct, status, status, (product, from, to) => {
        expect(isMoved(product, from, to)).toBe(from === to || spec.has(`${from}>${to}`));
      }),
      { numRuns: 500 },
    );
  });

  it('when any walk of allowed moves is taken, then Failed, Cancelled and Reversed are never left', () => {
    fc.assert(
      fc.property(fc.array(status, { maxLength: 12 }), (wishes) => {
        const walked: OrderStatus[] = ['Pending'];
        for (const to of wishes) {
          const from = walked.at(-1)!;
          if (isMoved('Topup', from, to)) walked.push(to);
        }
        const end = walked.findIndex((one) => ['Failed', 'Cancelled', 'Reversed'].includes(one));
        expect(end < 0 || walked.slice(end).every((one) => one === walked[end])).toBe(true);
        expect(
          walked.filter((one, at) => one === 'Completed' && walked[at - 1] !== one).length,
        ).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('when a status is final for a repeated create, then nothing but a reversal follows it', () => {
    for (const one of ORDER_STATUSES.filter((status) => isFinal({ product: 'Esim', status }))) {
      expect(ALLOWED_MOVES.Esim[one] ?? []).toEqual(one === 'Completed' ? ['Reversed'] : []);
    }
  });
});

describe('mismatchedFields', () => {
  it('when two bodies are compared, then exactly the fields with other values are named, absent being null', () => {
    const body = fc.dictionary(
      fc.constantFrom('amount', 'phoneNumber', 'sagaId'),
      fc.option(fc.constantFrom('1', '2')),
    );
    fc.assert(
      fc.property(body, body, (one, other) => {
        const names = mismatchedFields(one, other);
        for (const name of ['amount', 'phoneNumber', 'sagaId']) {
          expect(names.includes(name)).toBe((one[name] ?? null) !== (other[name] ?? null));
        }
        expect(mismatchedFields(other, one)).toEqual(names);
        expect(mismatchedFields(one, { ...one })).toEqual([]);
      }),
    );
  });
});

function isMoved(product: Product, from: OrderStatus, to: OrderStatus): boolean {
  try {
    return moveStatus(product, from, to) === to;
  } catch (error) {
    expect(isAppError(error) && error.code).toBe('CONFLICT_ORDER_STATE');
    return false;
  }
}
