import { randomUUID } from 'node:crypto';
import { beforeAll, describe, test } from '@jest/globals';
import { newEsim, newTopup } from '../src/clients/bodies';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import { expectRefused, faults, refused, type Refusal } from '../src/clients/refusal';
import type { SendOptions } from '../src/clients/response';
import { readPlatformFile } from '../src/platform/platform-file';

const json = { 'content-type': 'application/json' };
const topup = (change: object): SendOptions => ({ body: { ...newTopup(), ...change } });
const raw = (rawBody: string, headers: Record<string, string> = json): SendOptions => ({
  method: 'POST',
  rawBody,
  headers,
});
const post = '/orders/topup';
const esim = (change: object): SendOptions => ({ body: { ...newEsim(), ...change } });
const postEsim = '/orders/esim';

const refusals: Refusal[] = [
  ['no such path', '/nothing', {}, refused(404, 'NOT_FOUND_ROUTE')],
  ['another method', '/wallet/balance', { method: 'DELETE' }, refused(405, 'METHOD_NOT_ALLOWED')],
  ['broken JSON', post, raw('{"amount":'), refused(400, 'VALIDATION_MALFORMED_JSON')],
  ['a list as body', post, raw('[]'), refused(400, 'VALIDATION_MALFORMED_JSON')],
  ['a number as body', post, raw('1'), refused(400, 'VALIDATION_MALFORMED_JSON')],
  [
    'a body of text',
    post,
    raw('x', { 'content-type': 'text/plain' }),
    refused(415, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'),
  ],
  [
    'a body over 100 KiB',
    post,
    raw(`{"a":"${'x'.repeat(102_400)}"}`),
    refused(413, 'VALIDATION_PAYLOAD_TOO_LARGE'),
  ],
  [
    'an empty body',
    post,
    { method: 'POST', headers: json },
    faults('amount', 'externalReference', 'geoScopeGlobalId', 'phoneNumber'),
  ],
  ['a number as text', post, topup({ amount: '10' }), faults('amount')],
  ['three decimals', post, topup({ amount: 10.001 }), faults('amount')],
  ['an amount of zero', post, topup({ amount: 0 }), faults('amount')],
  ['a negative amount', post, topup({ amount: -5 }), faults('amount')],
  [
    'an astronomical amount',
    post,
    raw(JSON.stringify({ ...newTopup(), amount: 1 }).replace('"amount":1', '"amount":1e400')),
    faults('amount'),
  ],
  ['an unknown field', post, topup({ extra: 1 }), faults('extra')],
  ['an empty reference', post, topup({ externalReference: '' }), faults('externalReference')],
  ['a long reference', post, topup({ externalReference: 'x'.repeat(129) }), faults('externalReference')],
  ['a number that is not E.164', post, topup({ phoneNumber: '0501234567' }), faults('phoneNumber')],
  ['a phone number as number', post, topup({ phoneNumber: 966501234567 }), faults('phoneNumber')],
  ['two faults', post, topup({ amount: '1', phoneNumber: null }), faults('amount', 'phoneNumber')],
  ['a partnerId that is no uuid', post, topup({ partnerId: 'me' }), faults('partnerId')],
  [
    'a foreign partnerId',
    post,
    topup({ partnerId: randomUUID() }),
    refused(403, 'FORBIDDEN_PARTNER_MISMATCH'),
  ],
  [
    'an unknown geo scope',
    post,
    topup({ geoScopeGlobalId: 'GEO-XX' }),
    refused(422, 'BUSINESS_GEO_SCOPE_UNAVAILABLE'),
  ],
  ['an amount below the limit', post, topup({ amount: 4.99 }), refused(422, 'BUSINESS_AMOUNT_OUT_OF_RANGE')],
  [
    'an amount above the limit',
    post,
    topup({ amount: 500.01 }),
    refused(422, 'BUSINESS_AMOUNT_OUT_OF_RANGE'),
  ],
  [
    'a number of another country',
    post,
    topup({ phoneNumber: '+201001234567' }),
    refused(422, 'BUSINESS_PHONE_NOT_IN_GEO_SCOPE'),
  ],
  [
    'an eSIM without fields',
    postEsim,
    { body: {} },
    faults('amount', 'email', 'externalReference', 'geoScopeGlobalId', 'productSku'),
  ],
  ['an address that is none', postEsim, esim({ email: 'nobody' }), faults('email')],
  ['an allowance as text', postEsim, esim({ dataAllowance: '1' }), faults('dataAllowance')],
  ['half a day', postEsim, esim({ validityDays: 0.5 }), faults('validityDays')],
  ['a phone for an eSIM', postEsim, esim({ phoneNumber: '+1' }), faults('phoneNumber')],
  [
    'a foreign partner’s eSIM',
    postEsim,
    esim({ partnerGlobalId: 'X' }),
    refused(403, 'FORBIDDEN_PARTNER_MISMATCH'),
  ],
  [
    'a scope without eSIMs',
    postEsim,
    esim({ geoScopeGlobalId: 'GEO-US', productSku: 'NONE', amount: 1 }),
    refused(422, 'BUSINESS_GEO_SCOPE_UNAVAILABLE'),
  ],
  [
    'an unknown product sku',
    postEsim,
    esim({ productSku: 'NONE', amount: 1 }),
    refused(422, 'BUSINESS_PRODUCT_UNAVAILABLE'),
  ],
  [
    'a product of elsewhere',
    postEsim,
    esim({ geoScopeGlobalId: 'GEO-AE' }),
    refused(422, 'BUSINESS_PRODUCT_UNAVAILABLE'),
  ],
  [
    'a withdrawn product',
    postEsim,
    esim({ geoScopeGlobalId: 'GEO-AE', productSku: 'ESIM-UAE-9GB-30D', amount: 99 }),
    refused(422, 'BUSINESS_PRODUCT_UNAVAILABLE'),
  ],
  ['another price', postEsim, esim({ amount: 18.99 }), refused(422, 'BUSINESS_PRICE_MISMATCH')],
  ['another allowance', postEsim, esim({ dataAllowance: 1.5 }), refused(422, 'BUSINESS_PRICE_MISMATCH')],
  ['another validity', postEsim, esim({ validityDays: 30 }), refused(422, 'BUSINESS_PRICE_MISMATCH')],
  ['an unknown eSIM order', `/orders/esim/${randomUUID()}`, {}, refused(404, 'NOT_FOUND_ESIM_ORDER')],
  ['an unknown eSIM reference', '/orders/esim/reference/none', {}, refused(404, 'NOT_FOUND_ESIM_ORDER')],
  ['an eSIM status that is none', '/orders/esim?status=Done', {}, faults('status')],
  ['a page of no products', '/esim/products?page=0', {}, faults('page')],
  ['a malformed uuid in the path', '/orders/topup/abc', {}, faults('orderId')],
  ['an unknown order', `/orders/topup/${randomUUID()}`, {}, refused(404, 'NOT_FOUND_TOPUP_ORDER')],
  ['an unknown reference', '/orders/topup/reference/none', {}, refused(404, 'NOT_FOUND_TOPUP_ORDER')],
  ['an unknown global id', '/orders/by-global-id/none', {}, refused(404, 'NOT_FOUND_ORDER')],
  ['page 0', '/orders/topup?page=0', {}, faults('page')],
  ['a page beyond integers', '/orders/topup?page=2147483648', {}, faults('page')],
  ['a page of 101', '/orders?pageSize=101', {}, faults('pageSize')],
  ['a page that is a word', '/wallet/transactions?page=one', {}, faults('page')],
  ['an unknown statement', `/statements/${randomUUID()}`, {}, refused(404, 'NOT_FOUND_STATEMENT')],
  ['a statement id that is none', '/statements/1', {}, faults('id')],
  ['an unknown mode', '/statements?mode=draft', {}, faults('mode')],
  ['a report of no period', '/statements?mode=report', {}, faults('periodFrom', 'periodTo')],
  ['a parameter twice', '/orders?page=1&page=2', {}, faults('page')],
  ['an unknown status', '/orders/topup?status=Done', {}, faults('status')],
  ['an unknown product', '/orders?productType=Car', {}, faults('productType')],
  ['a date that is none', '/orders?fromDate=yesterday', {}, faults('fromDate')],
  ['an unknown line type', '/wallet/transactions?transactionType=Both', {}, faults('transactionType')],
  ['NUL in a reference', '/orders/topup/reference/%00', {}, faults('externalReference')],
];

describe('refused requests around orders, money and pages (spec §1.2, §1.4, §1.5)', () => {
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
