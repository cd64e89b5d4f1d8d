import { describe, expect, it } from '@jest/globals';
import { isAppError } from '@reseller/errors';
import fc from 'fast-check';
import type { EsimProduct } from './esim-product';
import { checkPrice, type BelievedPlan } from './esim-rules';

const product: EsimProduct = {
  sku: 'ESIM-XX',
  name: 'Somewhere 2.5 GB, 7 days',
  geoScopeGlobalId: 'GEO-XX',
  dataAllowance: '2.500',
  validityDays: 7,
  amount: '19.90',
  currency: 'SAR',
  isActive: true,
};

function mismatchOf(believed: BelievedPlan): unknown {
  try {
    checkPrice(believed, product);
    return [];
  } catch (error) {
    return isAppError(error) && error.code === 'BUSINESS_PRICE_MISMATCH'
      ? error.details['mismatchedFields']
      : error;
  }
}

describe('checkPrice', () => {
  it('when any of the values is not the product’s, then exactly those are named, however they are written', () => {
    const same = {
      amount: fc.constantFrom('19.9', '19.90', '19.900'),
      dataAllowance: fc.constantFrom('2.5', '2.50', '2.500', undefined),
      validityDays: fc.constantFrom(7, undefined),
    };
    const other = {
      amount: fc.constantFrom('19.89', '19.91', '20', '199', '0.01'),
      dataAllowance: fc.constantFrom('2.4999', '2.5001', '25', '2'),
      validityDays: fc.constantFrom(1, 6, 8, 70),
    };
    const believed = fc.tuple(
      fc.record(same),
      fc.record(other),
      fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    );
    fc.assert(
      fc.property(believed, ([right, wrong, [amount, dataAllowance, validityDays]]) => {
        const plan = {
          amount: amount ? wrong.amount : right.amount,
          dataAllowance: dataAllowance ? wrong.dataAllowance : right.dataAllowance,
          validityDays: validityDays ? wrong.validityDays : right.validityDays,
        };
        const named = Object.entries({ amount, dataAllowance, validityDays });
        expect(mismatchOf(plan)).toEqual(named.flatMap(([name, isWrong]) => (isWrong ? [name] : [])));
      }),
    );
  });
});
