import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess } from '../src/clients/response';
import type { ApiResponse } from '../src/clients/response';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import type { Page } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';

const CODES = '/scent/discount-codes';
const operator = new OperatorClient(readPlatformFile());

interface DiscountCode {
  readonly id: string;
  readonly code: string;
  readonly [field: string]: unknown;
}

const body = (change: object = {}) => ({
  code: 'summer-10',
  discountType: 'Percent',
  value: 10,
  isActive: true,
  productScope: 'All',
  ...change,
});
const terms = (change: object = {}) => {
  const { code: _code, ...rest } = body(change);
  return rest;
};
const create = (client: PartnerClient, change: object = {}): Promise<ApiResponse<DiscountCode>> =>
  client.call<DiscountCode>(CODES, { body: body(change) });
const replace = (
  client: PartnerClient,
  id: string,
  change: object = {},
): Promise<ApiResponse<DiscountCode>> =>
  client.call<DiscountCode>(`${CODES}/${id}`, { method: 'PATCH', body: terms(change) });
const outcome = (response: ApiResponse<unknown>): [number, string] => [response.status, response.state];

describe('discount codes (spec §6.9)', () => {
  let partner: TestPartner;
  beforeAll(async () => {
    partner = await operator.newPartner();
  });

  test('when a code is made, then the response is all of it, in upper case, and is read, listed and filtered so', async () => {
    const made = expectSuccess(await create(partner.sandbox));
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      partnerId: partner.id,
      code: 'SUMMER-10',
      discountType: 'Percent',
      value: 10,
      validFrom: null,
      validTo: null,
      isActive: true,
      totalUsageCap: null,
      perCustomerCap: null,
      productScope: 'All',
      scopedVariantIds: null,
      minOrderValue: null,
      usageCount: 0,
      createdAt: expect.any(String),
      lastModifiedAt: null,
    });
    expect(expectSuccess(await partner.sandbox.call(`${CODES}/${made.id}`))).toEqual(made);
    const later = expectSuccess(await create(partner.sandbox, { code: 'Later_1', isActive: false }));
    expect(await partner.sandbox.all(CODES)).toEqual([later, made]);
    for (const [isActive, items] of [
      [true, [made]],
      [false, [later]],
    ] as const) {
      const page = expectSuccess(
        await partner.sandbox.call<Page<DiscountCode>>(`${CODES}?isActive=${isActive}`),
      );
      expect(page).toEqual({ items, pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 } });
    }
  });

  test('when a code is replaced, then every field has its final value, what is left out null, and the text stays', async () => {
    const made = expectSuccess(
      await create(partner.sandbox, {
        code: 'REPLACED',
        validFrom: '2026-01-01T03:00:00+03:00',
        validTo: '2026-12-31T23:59:59.999Z',
        totalUsageCap: 5,
        perCustomerCap: 1,
        minOrderValue: 99.95,
      }),
    );
    expect(made).toMatchObject({
      validFrom: '2026-01-01T00:00:00.000Z',
      perCustomerCap: 1,
      minOrderValue: 99.95,
    });
    const change = { discountType: 'FixedAmount', value: 250.5, isActive: false, minOrderValue: 0 };
    const replaced = expectSuccess(await replace(partner.sandbox, made.id, change));
    expect(replaced).toEqual({
      ...made,
      ...change,
      validFrom: null,
      validTo: null,
      totalUsageCap: null,
      perCustomerCap: null,
      lastModifiedAt: expect.any(String),
    });
    expect(expectSuccess(await partner.sandbox.call(`${CODES}/${made.id}`))).toEqual(replaced);
  });

  test('when a text is taken, in any letter case, also at once, then CONFLICT_DISCOUNT_CODE_EXISTS; deleted it is free', async () => {
    const spelt = ['taken-1', 'TAKEN-1', 'Taken-1', 'tAkEn-1'];
    const responses = await Promise.all(spelt.map((code) => create(partner.sandbox, { code })));
    expect(responses.map(outcome).sort()).toEqual([
      [200, 'SUCCESS'],
      [409, 'CONFLICT_DISCOUNT_CODE_EXISTS'],
      [409, 'CONFLICT_DISCOUNT_CODE_EXISTS'],
      [409, 'CONFLICT_DISCOUNT_CODE_EXISTS'],
    ]);
    const made = responses.find(({ status }) => status === 200)?.payload;
    const gone = expectSuccess(await partner.sandbox.call(`${CODES}/${made?.id}`, { method: 'DELETE' }));
    expect(gone).toEqual(made);
    const again = await partner.sandbox.call(`${CODES}/${made?.id}`, { method: 'DELETE' });
    expect(outcome(again)).toEqual([404, 'NOT_FOUND_DISCOUNT_CODE']);
    expect(outcome(await create(partner.sandbox, { code: 'taken-1' }))).toEqual([200, 'SUCCESS']);
  });

  test('when variants are listed, then they must exist, each fault at its place', async () => {
    const { items } = expectSuccess(
      await partner.sandbox.call<Page<{ id: string }>>('/scent/variants?pageSize=2'),
    );
    const [first = '', second = ''] = items.map(({ id }) => id);
    const scopedVariantIds = [second, first];
    const made = expectSuccess(
      await create(partner.sandbox, { code: 'LISTED', productScope: 'VariantList', scopedVariantIds }),
    );
    expect(made.scopedVariantIds).toEqual(scopedVariantIds);
    const unknown = { productScope: 'VariantList', scopedVariantIds: [first, randomUUID(), randomUUID()] };
    for (const response of [
      await create(partner.sandbox, { code: 'UNKNOWN', ...unknown }),
      await replace(partner.sandbox, made.id, unknown),
    ]) {
      expect(outcome(response)).toEqual([400, 'VALIDATION_FAILED']);
      expect(response.details.errors?.map(({ path }) => path)).toEqual([
        'scopedVariantIds.1',
        'scopedVariantIds.2',
      ]);
    }
    expect(outcome(await create(partner.sandbox, { code: 'ALL', scopedVariantIds: [] }))).toEqual([
      200,
      'SUCCESS',
    ]);
  });

  test('when a code is tried on a cart, then the response says whether it applies, for how much, or the first reason against it', async () => {
    const client = partner.sandbox;
    const page = await client.call<Page<{ id: string; listPrice: number }>>('/scent/variants?pageSize=1');
    const { id: variantId = '', listPrice = 0 } = expectSuccess(page).items[0] ?? {};
    const check = async (code: string, customerRef = '?customerRef=tried') =>
      expectSuccess(await client.call(`/scent/cart/discount-code/check${customerRef}`, { body: { code } }));
    const against = (code: string, reason: string) => ({ code, isApplicable: false, reason, discount: null });

    expectSuccess(await create(client, { code: 'TRY-HALF', value: 50, perCustomerCap: 1 }));
    expect(await check('try-half')).toEqual(against('TRY-HALF', 'NoEligibleLines'));
    expectSuccess(
      await client.call('/scent/cart/items?customerRef=tried', { body: { variantId, quantity: 2 } }),
    );
    expect(await check('Try-Half')).toEqual({
      code: 'TRY-HALF',
      isApplicable: true,
      reason: null,
      discount: { code: 'TRY-HALF', discountType: 'Percent', value: 50, amount: listPrice },
    });
    expect(await check('try-half', '')).toEqual(against('TRY-HALF', 'CustomerRefRequired'));
    expect(await check('tRy-nothing')).toEqual(against('tRy-nothing', 'Unknown'));
    for (const [code, reason, change] of [
      ['TRY-OFF', 'Inactive', { isActive: false }],
      ['TRY-LATER', 'NotStarted', { validFrom: '2999-01-01T00:00:00Z' }],
      ['TRY-OVER', 'Expired', { validTo: '2001-01-01T00:00:00Z' }],
      ['TRY-MORE', 'BelowMinimumOrder', { minOrderValue: 1_000_000 }],
    ] as const) {
      expectSuccess(await create(client, { code, ...change }));
      expect(await check(code)).toEqual(against(code, reason));
    }
  });

  test('when another partner or environment asks, then the code does not exist, and its text is free', async () => {
    const made = expectSuccess(await create(partner.sandbox, { code: 'PRIVATE' }));
    const stranger = await operator.newPartner();
    for (const client of [stranger.sandbox, partner.live]) {
      const responses = [
        await client.call(`${CODES}/${made.id}`),
        await replace(client, made.id),
        await client.call(`${CODES}/${made.id}`, { method: 'DELETE' }),
      ];
      expect(responses.map(outcome)).toEqual(responses.map(() => [404, 'NOT_FOUND_DISCOUNT_CODE']));
      expect(await client.all(CODES)).toEqual([]);
      expect(outcome(await create(client, { code: 'PRIVATE' }))).toEqual([200, 'SUCCESS']);
    }
    expect(expectSuccess(await partner.sandbox.call(`${CODES}/${made.id}`))).toEqual(made);
  });
});
