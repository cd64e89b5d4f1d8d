import { randomUUID } from 'node:crypto';
import { beforeAll, describe, test } from '@jest/globals';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import { expectRefused, faults, refused, type Refusal } from '../src/clients/refusal';
import type { SendOptions } from '../src/clients/response';
import { readPlatformFile } from '../src/platform/platform-file';

const codes = '/scent/discount-codes';
const code = (change: object): SendOptions => ({
  body: { code: 'ABC', discountType: 'Percent', value: 1, isActive: true, productScope: 'All', ...change },
});
const registrations = '/scent/cart/back-in-stock';
const returnOf = `/scent/orders/${randomUUID()}/return-request`;
const unit = { scentOrderLineId: randomUUID(), quantity: 1, reasonCode: 'Damaged' };
const giveBack = (change: object): SendOptions => ({
  body: { fulfillmentGroupId: randomUUID(), lines: [unit], ...change },
});
const check = '/scent/cart/discount-code/check';
const codeTerms = { discountType: 'Percent', value: 1, isActive: true, productScope: 'All' };

const refusals: Refusal[] = [
  ['an unknown variant', `/scent/variants/${randomUUID()}`, {}, refused(404, 'NOT_FOUND_VARIANT')],
  ['its availability', `/scent/variants/${randomUUID()}/availability`, {}, refused(404, 'NOT_FOUND_VARIANT')],
  ['an unknown scent', `/scent/scents/${randomUUID()}`, {}, refused(404, 'NOT_FOUND_SCENT')],
  ['an unknown brand', `/scent/brands/${randomUUID()}`, {}, refused(404, 'NOT_FOUND_BRAND')],
  ['a variant id that is no uuid', '/scent/variants/x', {}, faults('id')],
  [
    'unfit filters',
    '/scent/variants?availability=None&brandId=x&page=0',
    {},
    faults('availability', 'brandId', 'page'),
  ],
  ['a return of an unknown order', returnOf, giveBack({}), refused(404, 'NOT_FOUND_SCENT_ORDER')],
  ['the returns of an unknown order', `${returnOf}s`, {}, refused(404, 'NOT_FOUND_SCENT_ORDER')],
  ['a return of nothing', returnOf, giveBack({ lines: [] }), faults('lines')],
  [
    'an unknown reason',
    returnOf,
    giveBack({ lines: [{ ...unit, reasonCode: 'Bored' }] }),
    refused(400, 'VALIDATION_INVALID_REASON_CODE'),
  ],
  [
    'no reason and no quantity',
    returnOf,
    giveBack({ lines: [{ ...unit, reasonCode: '', quantity: 0 }] }),
    faults('lines.0.quantity', 'lines.0.reasonCode'),
  ],
  ['a line named twice', returnOf, giveBack({ lines: [unit, unit] }), faults('lines.1.scentOrderLineId')],
  [
    'a discount code without fields',
    codes,
    { body: {} },
    faults('code', 'discountType', 'isActive', 'productScope', 'value'),
  ],
  [
    'every kind of fault of a discount code',
    codes,
    code({
      code: 'a b',
      value: 100.5,
      totalUsageCap: 0,
      perCustomerCap: 2,
      minOrderValue: -1,
      scopedVariantIds: ['x'],
    }),
    faults(
      'code',
      'minOrderValue',
      'perCustomerCap',
      'scopedVariantIds',
      'scopedVariantIds.0',
      'totalUsageCap',
      'value',
    ),
  ],
  [
    'a discount code that ends before it starts',
    codes,
    code({ validFrom: '2026-02-01T00:00:00Z', validTo: '2026-01-01T00:00:00Z' }),
    faults('validTo'),
  ],
  ['a list of no variants', codes, code({ productScope: 'VariantList' }), faults('scopedVariantIds')],
  ['an activity that is none', `${codes}?isActive=1`, {}, faults('isActive')],
  ['a page of no codes', `${codes}?pageSize=0`, {}, faults('pageSize')],
  ['a code id that is no uuid', `${codes}/abc`, {}, faults('id')],
  ['an unknown discount code', `${codes}/${randomUUID()}`, {}, refused(404, 'NOT_FOUND_DISCOUNT_CODE')],
  [
    'no such code to replace',
    `${codes}/${randomUUID()}`,
    { method: 'PATCH', body: codeTerms },
    refused(404, 'NOT_FOUND_DISCOUNT_CODE'),
  ],
  [
    'no such code to delete',
    `${codes}/${randomUUID()}`,
    { method: 'DELETE' },
    refused(404, 'NOT_FOUND_DISCOUNT_CODE'),
  ],
  [
    'the text of a code replaced',
    `${codes}/${randomUUID()}`,
    { method: 'PATCH', body: { ...codeTerms, code: 'ABC' } },
    faults('code'),
  ],
  [
    'a replacement in part',
    `${codes}/${randomUUID()}`,
    { method: 'PATCH', body: { isActive: false } },
    faults('discountType', 'productScope', 'value'),
  ],
  ['no code to check', check, { body: {} }, faults('code')],
  ['a code for nobody', `${check}?customerRef=`, { body: { code: 'A' } }, faults('customerRef')],
  [
    'an unknown variant to wait for',
    registrations,
    { body: { variantId: randomUUID() } },
    refused(404, 'NOT_FOUND_VARIANT'),
  ],
  [
    'a registration without fields',
    registrations,
    { body: { customerRef: 'a\u0007' } },
    faults('customerRef', 'variantId'),
  ],
  [
    'an unknown registration',
    `${registrations}/${randomUUID()}`,
    { method: 'DELETE' },
    refused(404, 'NOT_FOUND_BACK_IN_STOCK_REGISTRATION'),
  ],
];

describe('refused requests around carts, codes and returns (spec §1.2, §1.4, §1.5)', () => {
  let partner: TestPartner;
  beforeAll(async () => {
    partner = await new OperatorClient(readPlatformFile()).newPartner({ deposit: 1_000 });
  });

  // Rows are objects here: Jest would spread an array over the test's parameters.
  test.each(refusals.map((refusal) => ({ what: refusal[0], refusal })))(
    'when a request has $what, then the response says so in the envelope',
    ({ refusal }) => expectRefused(partner.sandbox, refusal),
  );
});
