import { describe, expect, it } from '@jest/globals';
import { isAppError } from '@reseller/errors';
import { compileValidator } from '@reseller/http-edge';
import { discountCodeTerms, newDiscountCode } from './discount-code.schema';

const create = compileValidator({ body: newDiscountCode });
const replace = compileValidator({ body: discountCodeTerms });

const good = {
  code: 'SUMMER_10-x',
  discountType: 'Percent',
  value: 10,
  isActive: true,
  productScope: 'All',
};
const variant = (n: number): string => `019a2f3c-5b7e-7c41-9a6d-${String(n).padStart(12, '0')}`;
const list = (...scopedVariantIds: unknown[]) => ({ productScope: 'VariantList', scopedVariantIds });
const later = '2026-02-01T00:00:00Z';
const earlier = '2026-01-31T23:59:59.999Z';

function faultsOf(validate: typeof create, body: Record<string, unknown>): string[] {
  try {
    validate({}, '', body);
  } catch (error) {
    if (isAppError(error))
      return (error.details['errors'] as { path: string }[]).map(({ path }) => path).sort();
    throw error;
  }
  return [];
}

describe('the body of a discount code', () => {
  it.each<[string, object, string[]]>([
    ['as short as can be', {}, []],
    [
      'everything null that may be',
      {
        validFrom: null,
        validTo: null,
        totalUsageCap: null,
        perCustomerCap: null,
        scopedVariantIds: null,
        minOrderValue: null,
      },
      [],
    ],
    ['a hundred percent', { value: 100 }, []],
    ['more than a hundred percent', { value: 100.01 }, ['value']],
    ['a fixed amount over a hundred', { discountType: 'FixedAmount', value: 250.55 }, []],
    ['nothing off', { value: 0 }, ['value']],
    ['a negative value', { value: -1 }, ['value']],
    ['a percentage of four decimals', { value: 33.3333 }, []],
    ['the smallest percentage', { value: 0.0001 }, []],
    ['a percentage of five decimals', { value: 12.34567 }, ['value']],
    ['an amount of three decimals', { discountType: 'FixedAmount', value: 1.001 }, ['value']],
    ['three decimals of no type', { discountType: 'percent', value: 1.001 }, ['discountType']],
    ['a tiny value', { value: 1e-7 }, ['value']],
    ['a value as text', { value: '10' }, ['value']],
    ['an unknown type', { discountType: 'percent' }, ['discountType']],
    ['a code too short', { code: 'ab' }, ['code']],
    ['a code too long', { code: 'a'.repeat(41) }, ['code']],
    ['a code with a space', { code: 'a b c' }, ['code']],
    ['a code that is not ASCII', { code: 'straße' }, ['code']],
    ['a code with a line break', { code: 'abc\n' }, ['code']],
    ['activity as text', { isActive: 'true' }, ['isActive']],
    ['a date of its own', { validFrom: later, validTo: null }, []],
    ['dates that are equal', { validFrom: later, validTo: later }, []],
    ['dates that are equal in other zones', { validFrom: '2026-02-01T03:00:00+03:00', validTo: later }, []],
    ['dates the wrong way round', { validFrom: later, validTo: earlier }, ['validTo']],
    ['a date without a zone', { validFrom: '2026-02-01T00:00:00' }, ['validFrom']],
    ['a cap of nothing', { totalUsageCap: 0 }, ['totalUsageCap']],
    ['half a cap', { totalUsageCap: 1.5 }, ['totalUsageCap']],
    ['a cap beyond integers', { totalUsageCap: 2_147_483_648 }, ['totalUsageCap']],
    ['once a customer', { perCustomerCap: 1 }, []],
    ['twice a customer', { perCustomerCap: 2 }, ['perCustomerCap']],
    ['never a customer', { perCustomerCap: 0 }, ['perCustomerCap']],
    ['a minimum of nothing', { minOrderValue: 0 }, []],
    ['a minimum below nothing', { minOrderValue: -0.01 }, ['minOrderValue']],
    ['a minimum of three decimals', { minOrderValue: 0.001 }, ['minOrderValue']],
    ['no variants for the whole catalog', { scopedVariantIds: [] }, []],
    ['variants for the whole catalog', { scopedVariantIds: [variant(1)] }, ['scopedVariantIds']],
    ['a list without variants', { productScope: 'VariantList' }, ['scopedVariantIds']],
    ['an empty list', list(), ['scopedVariantIds']],
    ['five hundred variants', list(...Array.from({ length: 500 }, (_, n) => variant(n))), []],
    [
      'one variant too many',
      list(...Array.from({ length: 501 }, (_, n) => variant(n))),
      ['scopedVariantIds'],
    ],
    [
      'a variant twice, spelt differently',
      list(variant(1), variant(2), variant(1).toUpperCase()),
      ['scopedVariantIds.2'],
    ],
    ['a variant that is no uuid', list(variant(1), 'x'), ['scopedVariantIds.1']],
    [
      'variants that are no list',
      { productScope: 'VariantList', scopedVariantIds: variant(1) },
      ['scopedVariantIds'],
    ],
    ['an unknown scope', { productScope: 'Brand' }, ['productScope']],
    ['an unknown field', { usageCount: 1 }, ['usageCount']],
    [
      'every fault at once',
      {
        code: 'a',
        value: 101,
        validFrom: later,
        validTo: earlier,
        totalUsageCap: 0.5,
        perCustomerCap: 3,
        minOrderValue: -1,
        scopedVariantIds: [variant(1), variant(1)],
        isActive: 1,
        more: 1,
      },
      [
        'code',
        'isActive',
        'minOrderValue',
        'more',
        'perCustomerCap',
        'scopedVariantIds',
        'scopedVariantIds.1',
        'totalUsageCap',
        'validTo',
        'value',
      ],
    ],
  ])('when it has %s, then each fault is named, and no other', (_what, change, faults) => {
    expect(faultsOf(create, { ...good, ...change })).toEqual(faults);
  });

  it('when it is empty, then what is required is named, in a replacement too, which knows no code', () => {
    const required = ['discountType', 'isActive', 'productScope', 'value'];
    expect(faultsOf(create, {})).toEqual(['code', ...required]);
    expect(faultsOf(replace, {})).toEqual(required);
    expect(faultsOf(replace, good)).toEqual(['code']);
  });

  it('when it is right, then decimals are handed on as text and ids in lower case', () => {
    const body = {
      ...good,
      ...list(variant(10).toUpperCase()),
      value: 8.2,
      minOrderValue: 0,
      validFrom: earlier,
    };
    expect(create({}, '', body).body).toMatchObject({
      value: '8.2',
      minOrderValue: '0',
      validFrom: new Date(earlier),
      scopedVariantIds: [variant(10)],
    });
  });
});
