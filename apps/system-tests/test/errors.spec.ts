import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { send } from '../src/clients/response';
import type { SendOptions } from '../src/clients/response';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import { newEsim, newTopup, phoneEnding } from '../src/clients/bodies';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
let partner: TestPartner;
beforeAll(async () => {
  partner = await new OperatorClient(platform).newPartner({ deposit: 1_000 });
});

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
const unavailable = 'BUSINESS_PRODUCT_UNAVAILABLE';
const mismatch = 'BUSINESS_PRICE_MISMATCH';
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
const codeNotFound = 'NOT_FOUND_DISCOUNT_CODE';
const codeTerms = { discountType: 'Percent', value: 1, isActive: true, productScope: 'All' };

/** [what is wrong, path, request, status, code, faulty fields] */
const refusals: [string, string, SendOptions, number, string, string[]?][] = [
  ['no such path', '/nothing', {}, 404, 'NOT_FOUND_ROUTE'],
  ['another method', '/wallet/balance', { method: 'DELETE' }, 405, 'METHOD_NOT_ALLOWED'],
  ['an unknown variant', `/scent/variants/${randomUUID()}`, {}, 404, 'NOT_FOUND_VARIANT'],
  ['its availability', `/scent/variants/${randomUUID()}/availability`, {}, 404, 'NOT_FOUND_VARIANT'],
  ['an unknown scent', `/scent/scents/${randomUUID()}`, {}, 404, 'NOT_FOUND_SCENT'],
  ['an unknown brand', `/scent/brands/${randomUUID()}`, {}, 404, 'NOT_FOUND_BRAND'],
  ['a variant id that is no uuid', '/scent/variants/x', {}, 400, 'VALIDATION_FAILED', ['id']],
  [
    'unfit filters',
    '/scent/variants?availability=None&brandId=x&page=0',
    {},
    400,
    'VALIDATION_FAILED',
    ['availability', 'brandId', 'page'],
  ],
  ['a return of an unknown order', returnOf, giveBack({}), 404, 'NOT_FOUND_SCENT_ORDER'],
  ['the returns of an unknown order', `${returnOf}s`, {}, 404, 'NOT_FOUND_SCENT_ORDER'],
  ['a return of nothing', returnOf, giveBack({ lines: [] }), 400, 'VALIDATION_FAILED', ['lines']],
  [
    'an unknown reason',
    returnOf,
    giveBack({ lines: [{ ...unit, reasonCode: 'Bored' }] }),
    400,
    'VALIDATION_INVALID_REASON_CODE',
  ],
  [
    'no reason and no quantity',
    returnOf,
    giveBack({ lines: [{ ...unit, reasonCode: '', quantity: 0 }] }),
    400,
    'VALIDATION_FAILED',
    ['lines.0.quantity', 'lines.0.reasonCode'],
  ],
  [
    'a line named twice',
    returnOf,
    giveBack({ lines: [unit, unit] }),
    400,
    'VALIDATION_FAILED',
    ['lines.1.scentOrderLineId'],
  ],
  ['broken JSON', post, raw('{"amount":'), 400, 'VALIDATION_MALFORMED_JSON'],
  ['a list as body', post, raw('[]'), 400, 'VALIDATION_MALFORMED_JSON'],
  ['a number as body', post, raw('1'), 400, 'VALIDATION_MALFORMED_JSON'],
  [
    'a body of text',
    post,
    raw('x', { 'content-type': 'text/plain' }),
    415,
    'VALIDATION_UNSUPPORTED_MEDIA_TYPE',
  ],
  ['a body over 100 KiB', post, raw(`{"a":"${'x'.repeat(102_400)}"}`), 413, 'VALIDATION_PAYLOAD_TOO_LARGE'],
  [
    'an empty body',
    post,
    { method: 'POST', headers: json },
    400,
    'VALIDATION_FAILED',
    ['amount', 'externalReference', 'geoScopeGlobalId', 'phoneNumber'],
  ],
  ['a number as text', post, topup({ amount: '10' }), 400, 'VALIDATION_FAILED', ['amount']],
  ['three decimals', post, topup({ amount: 10.001 }), 400, 'VALIDATION_FAILED', ['amount']],
  ['an amount of zero', post, topup({ amount: 0 }), 400, 'VALIDATION_FAILED', ['amount']],
  ['a negative amount', post, topup({ amount: -5 }), 400, 'VALIDATION_FAILED', ['amount']],
  [
    'an astronomical amount',
    post,
    raw(JSON.stringify({ ...newTopup(), amount: 1 }).replace('"amount":1', '"amount":1e400')),
    400,
    'VALIDATION_FAILED',
    ['amount'],
  ],
  ['an unknown field', post, topup({ extra: 1 }), 400, 'VALIDATION_FAILED', ['extra']],
  [
    'an empty reference',
    post,
    topup({ externalReference: '' }),
    400,
    'VALIDATION_FAILED',
    ['externalReference'],
  ],
  [
    'a long reference',
    post,
    topup({ externalReference: 'x'.repeat(129) }),
    400,
    'VALIDATION_FAILED',
    ['externalReference'],
  ],
  [
    'a number that is not E.164',
    post,
    topup({ phoneNumber: '0501234567' }),
    400,
    'VALIDATION_FAILED',
    ['phoneNumber'],
  ],
  [
    'a phone number as number',
    post,
    topup({ phoneNumber: 966501234567 }),
    400,
    'VALIDATION_FAILED',
    ['phoneNumber'],
  ],
  [
    'two faults',
    post,
    topup({ amount: '1', phoneNumber: null }),
    400,
    'VALIDATION_FAILED',
    ['amount', 'phoneNumber'],
  ],
  ['a partnerId that is no uuid', post, topup({ partnerId: 'me' }), 400, 'VALIDATION_FAILED', ['partnerId']],
  ['a foreign partnerId', post, topup({ partnerId: randomUUID() }), 403, 'FORBIDDEN_PARTNER_MISMATCH'],
  [
    'an unknown geo scope',
    post,
    topup({ geoScopeGlobalId: 'GEO-XX' }),
    422,
    'BUSINESS_GEO_SCOPE_UNAVAILABLE',
  ],
  ['an amount below the limit', post, topup({ amount: 4.99 }), 422, 'BUSINESS_AMOUNT_OUT_OF_RANGE'],
  ['an amount above the limit', post, topup({ amount: 500.01 }), 422, 'BUSINESS_AMOUNT_OUT_OF_RANGE'],
  [
    'a number of another country',
    post,
    topup({ phoneNumber: '+201001234567' }),
    422,
    'BUSINESS_PHONE_NOT_IN_GEO_SCOPE',
  ],
  [
    'an eSIM without fields',
    postEsim,
    { body: {} },
    400,
    'VALIDATION_FAILED',
    ['amount', 'email', 'externalReference', 'geoScopeGlobalId', 'productSku'],
  ],
  ['an address that is none', postEsim, esim({ email: 'nobody' }), 400, 'VALIDATION_FAILED', ['email']],
  [
    'an allowance as text',
    postEsim,
    esim({ dataAllowance: '1' }),
    400,
    'VALIDATION_FAILED',
    ['dataAllowance'],
  ],
  ['half a day', postEsim, esim({ validityDays: 0.5 }), 400, 'VALIDATION_FAILED', ['validityDays']],
  ['a phone for an eSIM', postEsim, esim({ phoneNumber: '+1' }), 400, 'VALIDATION_FAILED', ['phoneNumber']],
  ['a foreign partner’s eSIM', postEsim, esim({ partnerGlobalId: 'X' }), 403, 'FORBIDDEN_PARTNER_MISMATCH'],
  [
    'a scope without eSIMs',
    postEsim,
    esim({ geoScopeGlobalId: 'GEO-US', productSku: 'NONE', amount: 1 }),
    422,
    'BUSINESS_GEO_SCOPE_UNAVAILABLE',
  ],
  ['an unknown product sku', postEsim, esim({ productSku: 'NONE', amount: 1 }), 422, unavailable],
  ['a product of elsewhere', postEsim, esim({ geoScopeGlobalId: 'GEO-AE' }), 422, unavailable],
  [
    'a withdrawn product',
    postEsim,
    esim({ geoScopeGlobalId: 'GEO-AE', productSku: 'ESIM-UAE-9GB-30D', amount: 99 }),
    422,
    unavailable,
  ],
  ['another price', postEsim, esim({ amount: 18.99 }), 422, mismatch],
  ['another allowance', postEsim, esim({ dataAllowance: 1.5 }), 422, mismatch],
  ['another validity', postEsim, esim({ validityDays: 30 }), 422, mismatch],
  ['an unknown eSIM order', `/orders/esim/${randomUUID()}`, {}, 404, 'NOT_FOUND_ESIM_ORDER'],
  ['an unknown eSIM reference', '/orders/esim/reference/none', {}, 404, 'NOT_FOUND_ESIM_ORDER'],
  ['an eSIM status that is none', '/orders/esim?status=Done', {}, 400, 'VALIDATION_FAILED', ['status']],
  ['a page of no products', '/esim/products?page=0', {}, 400, 'VALIDATION_FAILED', ['page']],
  ['a malformed uuid in the path', '/orders/topup/abc', {}, 400, 'VALIDATION_FAILED', ['orderId']],
  ['an unknown order', `/orders/topup/${randomUUID()}`, {}, 404, 'NOT_FOUND_TOPUP_ORDER'],
  ['an unknown reference', '/orders/topup/reference/none', {}, 404, 'NOT_FOUND_TOPUP_ORDER'],
  ['an unknown global id', '/orders/by-global-id/none', {}, 404, 'NOT_FOUND_ORDER'],
  ['page 0', '/orders/topup?page=0', {}, 400, 'VALIDATION_FAILED', ['page']],
  ['a page beyond integers', '/orders/topup?page=2147483648', {}, 400, 'VALIDATION_FAILED', ['page']],
  ['a page of 101', '/orders?pageSize=101', {}, 400, 'VALIDATION_FAILED', ['pageSize']],
  ['a page that is a word', '/wallet/transactions?page=one', {}, 400, 'VALIDATION_FAILED', ['page']],
  ['an unknown statement', `/statements/${randomUUID()}`, {}, 404, 'NOT_FOUND_STATEMENT'],
  ['a statement id that is none', '/statements/1', {}, 400, 'VALIDATION_FAILED', ['id']],
  ['an unknown mode', '/statements?mode=draft', {}, 400, 'VALIDATION_FAILED', ['mode']],
  [
    'a report of no period',
    '/statements?mode=report',
    {},
    400,
    'VALIDATION_FAILED',
    ['periodFrom', 'periodTo'],
  ],
  ['a parameter twice', '/orders?page=1&page=2', {}, 400, 'VALIDATION_FAILED', ['page']],
  ['an unknown status', '/orders/topup?status=Done', {}, 400, 'VALIDATION_FAILED', ['status']],
  ['an unknown product', '/orders?productType=Car', {}, 400, 'VALIDATION_FAILED', ['productType']],
  ['a date that is none', '/orders?fromDate=yesterday', {}, 400, 'VALIDATION_FAILED', ['fromDate']],
  [
    'an unknown line type',
    '/wallet/transactions?transactionType=Both',
    {},
    400,
    'VALIDATION_FAILED',
    ['transactionType'],
  ],
  [
    'a discount code without fields',
    codes,
    { body: {} },
    400,
    'VALIDATION_FAILED',
    ['code', 'discountType', 'isActive', 'productScope', 'value'],
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
    400,
    'VALIDATION_FAILED',
    [
      'code',
      'minOrderValue',
      'perCustomerCap',
      'scopedVariantIds',
      'scopedVariantIds.0',
      'totalUsageCap',
      'value',
    ],
  ],
  [
    'a discount code that ends before it starts',
    codes,
    code({ validFrom: '2026-02-01T00:00:00Z', validTo: '2026-01-01T00:00:00Z' }),
    400,
    'VALIDATION_FAILED',
    ['validTo'],
  ],
  [
    'a list of no variants',
    codes,
    code({ productScope: 'VariantList' }),
    400,
    'VALIDATION_FAILED',
    ['scopedVariantIds'],
  ],
  ['an activity that is none', `${codes}?isActive=1`, {}, 400, 'VALIDATION_FAILED', ['isActive']],
  ['a page of no codes', `${codes}?pageSize=0`, {}, 400, 'VALIDATION_FAILED', ['pageSize']],
  ['a code id that is no uuid', `${codes}/abc`, {}, 400, 'VALIDATION_FAILED', ['id']],
  ['an unknown discount code', `${codes}/${randomUUID()}`, {}, 404, codeNotFound],
  [
    'no such code to replace',
    `${codes}/${randomUUID()}`,
    { method: 'PATCH', body: codeTerms },
    404,
    codeNotFound,
  ],
  ['no such code to delete', `${codes}/${randomUUID()}`, { method: 'DELETE' }, 404, codeNotFound],
  [
    'the text of a code replaced',
    `${codes}/${randomUUID()}`,
    { method: 'PATCH', body: { ...codeTerms, code: 'ABC' } },
    400,
    'VALIDATION_FAILED',
    ['code'],
  ],
  [
    'a replacement in part',
    `${codes}/${randomUUID()}`,
    { method: 'PATCH', body: { isActive: false } },
    400,
    'VALIDATION_FAILED',
    ['discountType', 'productScope', 'value'],
  ],
  ['no code to check', check, { body: {} }, 400, 'VALIDATION_FAILED', ['code']],
  [
    'a code for nobody',
    `${check}?customerRef=`,
    { body: { code: 'A' } },
    400,
    'VALIDATION_FAILED',
    ['customerRef'],
  ],
  [
    'an unknown variant to wait for',
    registrations,
    { body: { variantId: randomUUID() } },
    404,
    'NOT_FOUND_VARIANT',
  ],
  [
    'a registration without fields',
    registrations,
    { body: { customerRef: 'a\u0007' } },
    400,
    'VALIDATION_FAILED',
    ['customerRef', 'variantId'],
  ],
  [
    'an unknown registration',
    `${registrations}/${randomUUID()}`,
    { method: 'DELETE' },
    404,
    'NOT_FOUND_BACK_IN_STOCK_REGISTRATION',
  ],
  ['NUL in a reference', '/orders/topup/reference/%00', {}, 400, 'VALIDATION_FAILED', ['externalReference']],
];

describe('refused requests (spec §1.2, §1.4, §1.5)', () => {
  // Rows are objects here: a row shorter than the parameters would make Jest wait for a callback.
  const rows = refusals.map(([what, path, request, status, code, fields]) => ({
    what,
    path,
    request,
    status,
    code,
    fields,
  }));
  test.each(rows)('when a request has $what, then the response says so in the envelope', async (row) => {
    const response = await partner.sandbox.call(row.path, row.request);
    expect([response.status, response.state]).toEqual([row.status, row.code]);
    expect(response.payload).toBeNull();
    expect(response.details).toMatchObject({
      message: expect.any(String),
      requestId: response.headers.get('x-request-id'),
    });
    if (row.fields)
      expect((response.details.errors ?? []).map((fault) => fault.path).sort()).toEqual(row.fields);
    expect(response.text).not.toMatch(/ at .*\.(js|ts):\d+|node_modules|SELECT |INSERT |ECONN|127\.0\.0\.1/);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('when a method is not served, then Allow names those that are', async () => {
    const response = await partner.sandbox.call('/wallet/balance', { method: 'PUT', body: {} });
    expect(response.headers.get('allow')).toMatch(/GET/);
  });

  test('when unknown query parameters come along, then they are ignored', async () => {
    expect((await partner.sandbox.call('/orders?unknown=1')).status).toBe(200);
  });
});

describe('tokens', () => {
  const url = `${platform.gatewayUrl}/api/v1/wallet/balance`;
  const tamper = async (): Promise<string> => {
    const [header = '', payload = '', signature = ''] = (await partner.sandbox.accessToken()).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const other = Buffer.from(JSON.stringify({ ...claims, sub: randomUUID() })).toString('base64url');
    return [header, other, signature].join('.');
  };
  const none = (): string =>
    [
      { alg: 'none', typ: 'JWT' },
      { aud: 'partner-api', sub: randomUUID(), exp: 4_000_000_000 },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.') + '.';

  test.each<[string, () => Promise<string | undefined> | string]>([
    ['missing', async () => undefined],
    ['of another scheme', () => 'Basic abc'],
    ['not a token', () => 'Bearer abc'],
    ['without a signature', () => `Bearer ${none()}`],
    ['changed', async () => `Bearer ${await tamper()}`],
    ['a client secret', () => `Bearer ${partner.credentials.sandbox.clientSecret}`],
  ])('when the bearer token is %s, then 401 UNAUTHORIZED_INVALID_TOKEN', async (_what, authorization) => {
    const value = await authorization();
    const response = await send(url, value === undefined ? {} : { headers: { authorization: value } });
    expect([response.status, response.state, response.payload]).toEqual([
      401,
      'UNAUTHORIZED_INVALID_TOKEN',
      null,
    ]);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  test('when the path is unknown and the token missing, then the path is answered first', async () => {
    expect((await send(`${platform.gatewayUrl}/api/v1/nothing`)).state).toBe('NOT_FOUND_ROUTE');
    expect((await send(`${platform.gatewayUrl}/else`)).state).toBe('NOT_FOUND_ROUTE');
  });

  test.each([
    [
      'an unknown client',
      { clientId: 'nobody', clientSecret: 'nothing' },
      401,
      'UNAUTHORIZED_INVALID_CREDENTIALS',
    ],
    ['no secret', { clientId: 'nobody' }, 400, 'VALIDATION_FAILED'],
    [
      'an onBehalfOf that is no uuid',
      { clientId: 'a', clientSecret: 'b', onBehalfOf: 'x' },
      400,
      'VALIDATION_FAILED',
    ],
  ])('when a token is asked for with %s, then it is refused', async (_what, body, status, code) => {
    const response = await send(`${platform.gatewayUrl}/api/v1/auth/token`, { body });
    expect([response.status, response.state]).toEqual([status, code]);
  });
});

describe('the request id (spec §1.3)', () => {
  test('when a fit one is sent, then it comes back; an unfit one is replaced by a UUID', async () => {
    const fit = 'my-id.1_2';
    expect(
      (await partner.sandbox.call('/geo-scopes', { headers: { 'x-request-id': fit } })).headers.get(
        'x-request-id',
      ),
    ).toBe(fit);
    for (const unfit of ['with space', 'x'.repeat(129), 'semi;colon']) {
      const response = await partner.sandbox.call('/nothing', { headers: { 'x-request-id': unfit } });
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.details.requestId).toBe(response.headers.get('x-request-id'));
    }
  });
});

describe('pages without a token (spec §1.9)', () => {
  test.each([
    ['/healthz', 200, /json/],
    ['/readyz', 200, /json/],
    ['/metrics', 200, /text\/plain/],
    ['/api/v1/openapi.json', 200, /json/],
    ['/docs', 200, /text\/html/],
  ])('when %s is opened, then it is served', async (path, status, type) => {
    const response = await fetch(`${platform.gatewayUrl}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      expect.stringMatching(type),
    ]);
  });

  test('when the OpenAPI document is read, then it has every path that this suite calls', async () => {
    const { paths } = (await (await fetch(`${platform.gatewayUrl}/api/v1/openapi.json`)).json()) as {
      paths: object;
    };
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/api/v1/auth/token',
        '/api/v1/geo-scopes',
        '/api/v1/orders',
        '/api/v1/orders/by-global-id/{orderGlobalId}',
        '/api/v1/orders/topup',
        '/api/v1/orders/topup/{orderId}',
        '/api/v1/orders/topup/reference/{externalReference}',
        '/api/v1/scent/cart/back-in-stock',
        '/api/v1/scent/cart/back-in-stock/{id}',
        '/api/v1/scent/cart/discount-code/check',
        '/api/v1/scent/discount-codes',
        '/api/v1/scent/discount-codes/{id}',
        '/api/v1/wallet/balance',
        '/api/v1/wallet/transactions',
      ]),
    );
  });
});

test('when input is random, then no route returns a 5xx or leaves the envelope', async () => {
  const nasty = [
    '',
    ' ',
    '%',
    '%00',
    "'",
    '"',
    '../..',
    '\u{1F600}',
    'x'.repeat(2000),
    '1e999',
    'null',
    '[]',
    phoneEnding('1'),
  ];
  const paths = [
    '/orders/topup/',
    '/orders/topup/reference/',
    '/orders/by-global-id/',
    '/orders?page=',
    '/orders?status=',
    '/wallet/transactions?fromDate=',
  ];
  for (const path of paths) {
    for (const text of nasty) {
      const response = await partner.sandbox.call(path + encodeURIComponent(text));
      expect([path, text, response.status < 500, typeof response.state]).toEqual([
        path,
        text,
        true,
        'string',
      ]);
    }
  }
  for (const value of [...nasty, null, true, 1e21, {}, [1], { __proto__: 1 }]) {
    for (const field of [
      'externalReference',
      'geoScopeGlobalId',
      'amount',
      'phoneNumber',
      'sagaId',
      'partnerId',
    ]) {
      const response = await partner.sandbox.call(post, topup({ [field]: value }));
      expect([field, value, response.status < 500, typeof response.state]).toEqual([
        field,
        value,
        true,
        'string',
      ]);
    }
  }
});
