import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { ERROR_CATALOGUE, isErrorCode } from '@reseller/errors';
import { routes } from '../src/routes';
import { TestGateway, type Answer, type Fault } from './support/gateway';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await TestGateway.start();
  token = await gateway.signer.sign();
});
afterAll(() => gateway.stop());

const topup = {
  externalReference: 'ref-1',
  geoScopeGlobalId: 'GEO-SA',
  amount: 10.1,
  phoneNumber: '+966501234567',
};
const PATH = '/api/v1/orders/topup';

function expectEnvelope(answer: Answer): void {
  const { state, payload, details } = answer.body;
  expect(isErrorCode(state) && ERROR_CATALOGUE[state].status).toBe(answer.status);
  expect(payload).toBeNull();
  expect(details.message).toMatch(/\S/);
  expect(details.requestId).toBe(answer.headers.get('x-request-id'));
  expect(answer.status).toBeLessThan(500);
}

const pathsOf = (faults: Fault[] | undefined) => (faults ?? []).map(({ path }) => path).sort();

describe('a create’s body', () => {
  it.each<[string, string, string[]]>([
    ['nothing at all', '', ['amount', 'externalReference', 'geoScopeGlobalId', 'phoneNumber']],
    ['an empty object', '{}', ['amount', 'externalReference', 'geoScopeGlobalId', 'phoneNumber']],
    ['an unknown field', json({ extra: 1 }), ['extra']],
    ['__proto__', `{"__proto__":{"amount":1},${json({}).slice(1)}`, ['__proto__']],
    ['constructor and toString', json({ constructor: 1, toString: 2 }), ['constructor', 'toString']],
    ['a number as text', json({ amount: '10.10' }), ['amount']],
    ['zero', json({ amount: 0 }), ['amount']],
    ['a negative amount', json({ amount: -1 }), ['amount']],
    ['three decimals', json({ amount: 10.001 }), ['amount']],
    ['an infinite amount', raw('amount', '1e400'), ['amount']],
    ['an amount beyond a double', raw('amount', '10.10000000000000000001'), ['amount']],
    ['an integer beyond a double', raw('amount', '9007199254740993'), ['amount']],
    ['an amount too large', raw('amount', '1e15'), ['amount']],
    ['null for a required field', json({ amount: null }), ['amount']],
    ['a NUL character', raw('externalReference', '"a\\u0000b"'), ['externalReference']],
    ['a lone surrogate', raw('externalReference', '"a\\ud800b"'), ['externalReference']],
    ['a NUL in an unknown place', json({ extra: { deep: ['\u0000'] } }), ['extra', 'extra.deep.0']],
    ['a reference too long', json({ externalReference: 'x'.repeat(129) }), ['externalReference']],
    ['an empty reference', json({ externalReference: '' }), ['externalReference']],
    ['a local phone number', json({ phoneNumber: '0501234567' }), ['phoneNumber']],
    ['a partner id that is no uuid', json({ partnerId: 'me' }), ['partnerId']],
    [
      'every fault at once',
      json({ amount: 'x', a: 1, b: 2, phoneNumber: 5 }),
      ['a', 'amount', 'b', 'phoneNumber'],
    ],
  ])('when it is %s, then each fault is named', async (_name, body, faults) => {
    const answer = await gateway.post(token, PATH, body);
    expectEnvelope(answer);
    expect([answer.body.state, pathsOf(answer.body.details.errors)]).toEqual(['VALIDATION_FAILED', faults]);
  });

  it.each<[string, string, string]>([
    ['10.1', '10.1', '10.1'],
    ['10.10', '10.10', '10.1'],
    ['1e2', '1e2', '100'],
    ['0.07', '0.07', '0.07'],
    ['9999999999999.99', '9999999999999.99', '9999999999999.99'],
  ])('when the amount is %s, then the service gets it exactly', async (_name, written, passed) => {
    const answer = await gateway.post(token, PATH, raw('amount', written));
    expect(answer.status).toBe(200);
    expect(gateway.dependencies.seen.calls.at(-1)?.request).toMatchObject({ amount: passed });
  });

  it('when it has 128 characters outside the basic plane, then they count as 128', async () => {
    const answer = await gateway.post(token, PATH, { ...topup, externalReference: '😀'.repeat(128) });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['not JSON', '{"a":', {}, 'VALIDATION_MALFORMED_JSON'],
    ['an array', '[]', {}, 'VALIDATION_MALFORMED_JSON'],
    ['null', 'null', {}, 'VALIDATION_MALFORMED_JSON'],
    ['a number too long for a double', '1e999', {}, 'VALIDATION_MALFORMED_JSON'],
    ['nested without end', '{"a":'.repeat(15_000), {}, 'VALIDATION_MALFORMED_JSON'],
    ['nested very deep', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, {}, null],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, 'VALIDATION_MALFORMED_JSON'],
    ['over 100 KiB', JSON.stringify({ a: 'x'.repeat(102_400) }), {}, 'VALIDATION_PAYLOAD_TOO_LARGE'],
    [
      'a form',
      'a=1',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'VALIDATION_UNSUPPORTED_MEDIA_TYPE',
    ],
    ['of no type', Buffer.from('{}'), { 'content-type': '' }, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'],
    [
      'JSON in utf-16',
      '{}',
      { 'content-type': 'application/json; charset=utf-16' },
      'VALIDATION_UNSUPPORTED_MEDIA_TYPE',
    ],
    ['compressed', gzipSync('{}'), { 'content-encoding': 'gzip' }, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'],
    ['of an unknown encoding', '{}', { 'content-encoding': 'nonsense' }, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'],
    [
      'JSON with a charset',
      '{}',
      { 'content-type': 'Application/JSON; charset="UTF-8"' },
      'VALIDATION_FAILED',
    ],
  ])('when it is %s, then it is refused as such', async (_name, body, headers, state) => {
    const answer = await gateway.sendAs(token, PATH, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    expectEnvelope(answer);
    if (state) expect(answer.body.state).toBe(state);
  });

  it('when an endless chunked body passes 100 KiB, then the answer comes before its end', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const head = `POST ${PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await gateway.raw(head + chunk.repeat(100), 'answered');
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('an eSIM’s body', () => {
  const esim = {
    externalReference: 'ref-1',
    geoScopeGlobalId: 'GEO-SA',
    productSku: 'ESIM-SA-1GB-7D',
    email: 'anyone+fail@example.com',
    amount: 19,
  };
  const ESIM_PATH = '/api/v1/orders/esim';
  const longest = `${'x'.repeat(64)}@${`${'y'.repeat(60)}.`.repeat(3)}museum`;

  it.each<[string, object, string[]]>([
    ['no field', {}, ['amount', 'email', 'externalReference', 'geoScopeGlobalId', 'productSku']],
    ['a phone number', { ...esim, phoneNumber: '+966501234567' }, ['phoneNumber']],
    ['an allowance as text', { ...esim, dataAllowance: '1' }, ['dataAllowance']],
    ['no allowance at all', { ...esim, dataAllowance: 0 }, ['dataAllowance']],
    ['half a day', { ...esim, validityDays: 0.5 }, ['validityDays']],
    ['no day', { ...esim, validityDays: 0 }, ['validityDays']],
    ['days as text', { ...esim, validityDays: '7' }, ['validityDays']],
    ['an empty sku', { ...esim, productSku: '' }, ['productSku']],
    ['a list of addresses', { ...esim, email: ['a@example.com'] }, ['email']],
    ...[
      '',
      'anyone',
      '@example.com',
      'anyone@',
      'anyone@localhost',
      'any one@example.com',
      'a..b@example.com',
      '.a@example.com',
      'a@b@example.com',
      'a@-b.example',
      'a@example..com',
      'a@example.com\n',
      `${'x'.repeat(65)}@example.com`,
      `a@${'y.'.repeat(130)}example`,
    ].map((email): [string, object, string[]] => [`the address ${email}`, { ...esim, email }, ['email']]),
  ])('when it has %s, then each fault is named', async (_name, body, faults) => {
    const answer = await gateway.post(token, ESIM_PATH, body);
    expectEnvelope(answer);
    expect([answer.body.state, pathsOf(answer.body.details.errors)]).toEqual(['VALIDATION_FAILED', faults]);
  });

  it.each([
    [1e-7, '0.0000001'],
    [2.5, '2.5'],
    [999999999, '999999999'],
  ])('when the allowance is %d, then the service gets it in plain digits', async (dataAllowance, passed) => {
    const answer = await gateway.post(token, ESIM_PATH, { ...esim, dataAllowance });
    expect(answer.status).toBe(200);
    expect(gateway.dependencies.seen.calls.at(-1)?.request).toMatchObject({ dataAllowance: passed });
  });

  it.each(['anyone+fail@example.com', "o'neil.x_y@sub.example.co", 'A@b-c.museum', '1@2.x3', longest])(
    'when the address is %s, then the service gets it as it stands',
    async (email) => {
      const answer = await gateway.post(token, ESIM_PATH, { ...esim, email });
      expect(answer.status).toBe(200);
      expect(gateway.dependencies.seen.calls.at(-1)?.request).toMatchObject({ email });
    },
  );
});

describe('a list in a body', () => {
  const a = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';
  const code = {
    code: 'ABC',
    discountType: 'Percent',
    value: 5,
    isActive: true,
    productScope: 'VariantList',
  };

  it.each<[string, string, object, string[]]>([
    [
      'lines of a quote',
      '/api/v1/scent/price-quote',
      {
        lines: [
          { variantId: a, quantity: 1 },
          { variantId: a.toUpperCase(), quantity: 'x' },
        ],
      },
      ['lines.1.quantity', 'lines.1.variantId'],
    ],
    [
      'lines of a return',
      `/api/v1/scent/orders/${a}/return-request`,
      {
        fulfillmentGroupId: a,
        lines: ['Damaged', 'Bored'].map((reasonCode) => ({ scentOrderLineId: a, quantity: 1, reasonCode })),
      },
      ['lines.1.reasonCode', 'lines.1.scentOrderLineId'],
    ],
    [
      'variants of a code',
      '/api/v1/scent/discount-codes',
      { ...code, scopedVariantIds: [a, 'x', a] },
      ['scopedVariantIds.1', 'scopedVariantIds.2'],
    ],
    [
      'event types',
      '/api/v1/webhooks',
      { url: 'https://example.com', eventTypes: ['order.failed', 'order.failed', 5] },
      ['eventTypes', 'eventTypes.2'],
    ],
  ])(
    'when it repeats one of the %s beside another fault, then both are named',
    async (...[, path, body, faults]) => {
      const answer = await gateway.post(token, path, body);
      expectEnvelope(answer);
      expect([answer.body.state, pathsOf(answer.body.details.errors)]).toEqual(['VALIDATION_FAILED', faults]);
    },
  );
});

describe('the body of a change that takes none', () => {
  const PATH_WITHOUT = '/api/v1/webhooks/019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10/rotate-secret';

  it.each([
    ['a field', '{"secret":"mine"}', 'VALIDATION_FAILED'],
    ['no JSON', '{', 'VALIDATION_MALFORMED_JSON'],
  ])('when it holds %s, then it is refused and nothing is changed', async (_name, body, state) => {
    const callsBefore = gateway.dependencies.seen.calls.length;
    const answer = await gateway.post(token, PATH_WITHOUT, body);
    expectEnvelope(answer);
    expect(answer.body.state).toBe(state);
    expect(gateway.dependencies.seen.calls).toHaveLength(callsBefore);
  });
});

describe('a path or query', () => {
  it.each<[string, string[]]>([
    ['/api/v1/orders/topup/not-a-uuid', ['orderId']],
    ['/api/v1/orders/topup/%ZZ', ['orderId']],
    ['/api/v1/orders/topup/reference/%C3%28', ['externalReference']],
    ['/api/v1/orders/topup/reference/a%00b', ['externalReference']],
    [`/api/v1/orders/topup/reference/${'x'.repeat(129)}`, ['externalReference']],
    ['/api/v1/orders/by-global-id/%00', ['orderGlobalId']],
    ['/api/v1/orders?page=0', ['page']],
    ['/api/v1/orders?page=', ['page']],
    ['/api/v1/orders?page=1.0', ['page']],
    ['/api/v1/orders?page=%2B1', ['page']],
    ['/api/v1/orders?page=2147483648', ['page']],
    ['/api/v1/orders?page=99999999999999999999', ['page']],
    ['/api/v1/orders?page=1&page=1', ['page']],
    ['/api/v1/orders?pageSize=101&page=x', ['page', 'pageSize']],
    ['/api/v1/orders?status=completed', ['status']],
    ['/api/v1/orders/topup?status=Returned', ['status']],
    ['/api/v1/orders/esim?status=Returned&toDate=x', ['status', 'toDate']],
    ['/api/v1/orders/esim/not-a-uuid', ['orderId']],
    ['/api/v1/esim/products?pageSize=0&geoScopeGlobalId=', ['geoScopeGlobalId', 'pageSize']],
    ['/api/v1/orders?productType=toString', ['productType']],
    ['/api/v1/orders?fromDate=2026-02-30T00:00:00Z', ['fromDate']],
    ['/api/v1/orders?fromDate=2026-01-01', ['fromDate']],
    ['/api/v1/orders?fromDate=0000-01-01T00:00:00Z', ['fromDate']],
    ['/api/v1/orders?toDate=9999-12-31T23:59:59-14:00', ['toDate']],
    ['/api/v1/orders?externalReference=%00', ['externalReference']],
    ['/api/v1/orders?externalReference=%ff', ['externalReference']],
    ['/api/v1/wallet/transactions?transactionType=DEBIT', ['transactionType']],
  ])('when it is %s, then the parameter is named', async (path, faults) => {
    const answer = await gateway.sendAs(token, path);
    expectEnvelope(answer);
    expect([answer.body.state, pathsOf(answer.body.details.errors)]).toEqual(['VALIDATION_FAILED', faults]);
  });

  it.each([
    ['GET', '/'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/orders/'],
    ['GET', '/api/v1/orders/topup/'],
    ['GET', '/api/v1//orders'],
    ['GET', '/API/V1/orders'],
    ['GET', '/api/v1/%6Frder%'],
    ['GET', '/docs/../../package.json'],
    ['GET', '/docs/%2e%2e/package.json'],
    ['GET', '/docs/%E0%A4%A'],
    ['GET', '/docs/index.html'],
    ['POST', '/__proto__'],
  ])('when %s %s does not exist, then it is NOT_FOUND_ROUTE', async (method, path) => {
    const answer = await gateway.send(path, { method });
    expectEnvelope(answer);
    expect(answer.body.state).toBe('NOT_FOUND_ROUTE');
  });

  it.each([
    ['DELETE', '/api/v1/orders/topup', 'GET, HEAD, POST'],
    ['GET', '/api/v1/auth/token', 'POST'],
    ['OPTIONS', '/api/v1/wallet/balance', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['PUT', '/api/v1/openapi.json', 'GET, HEAD'],
  ])('when %s %s has other methods, then Allow names them', async (method, path, allow) => {
    const answer = await gateway.send(path, { method });
    expectEnvelope(answer);
    expect([answer.body.state, answer.headers.get('allow')]).toEqual(['METHOD_NOT_ALLOWED', allow]);
  });
});

describe('bytes that are hardly HTTP', () => {
  const close = 'Connection: close\r\n\r\n';
  it.each<[string, string, RegExp]>([
    ['garbage', 'hello\r\n\r\n', /^HTTP\/1.1 400 /],
    ['a header block over 16 KiB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1.1 400 /],
    [
      'two lengths',
      `POST ${PATH} HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      /^HTTP\/1.1 400 /,
    ],
    ['no host', `GET /api/v1/none HTTP/1.1\r\n${close}`, /^HTTP\/1.1 404 /],
    ['HTTP/1.0', 'GET /api/v1/none HTTP/1.0\r\n\r\n', /^HTTP\/1.1 404 /],
    ['an absolute target', `GET http://other/healthz HTTP/1.1\r\nHost: a\r\n${close}`, /^HTTP\/1.1 200 /],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\nHost: a\r\n${close}`, /^HTTP\/1.1 404 /],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1.1 405 /],
    [
      'an upgrade',
      `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
      /^HTTP\/1.1 200 /,
    ],
    [
      'an unknown expectation',
      `GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n${close}`,
      /^HTTP\/1.1 200 /,
    ],
  ])('when %s arrives, then it is answered in an envelope with a request id', async (_name, bytes, start) => {
    const answer = await gateway.raw(bytes);
    expect(answer).toMatch(start);
    expect(answer).toMatch(/\r\nX-Request-Id: [\w.-]+\r\n/i);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toHaveProperty('state');
  });
});

describe('any input at all', () => {
  const anyJson = fc.jsonValue({ maxDepth: 3 });
  const patterns = [...routes.map(({ path }) => path), '/docs/{x}', '/{x}', '/readyz'];
  const segment = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('%', '%00', '..', '*', ''),
  );
  const target = fc
    .tuple(
      fc.constantFrom(...patterns),
      fc.array(segment, { minLength: 2, maxLength: 2 }),
      fc.webQueryParameters(),
    )
    .map(([pattern, parts, query]) => {
      let next = 0;
      const path = pattern.replaceAll(/\{\w+\}/g, () => encodeLoosely(parts[next++ % 2] ?? ''));
      return `${path}?${query}`;
    });
  const bodies = fc.oneof(
    anyJson.map((value) => JSON.stringify(value)),
    fc
      .record({ externalReference: anyJson, amount: anyJson, phoneNumber: anyJson, partnerId: anyJson })
      .map((v) => JSON.stringify(v)),
    fc.string({ unit: 'binary' }),
    fc.constant(undefined),
  );
  const types = fc.constantFrom(
    'application/json',
    'text/plain',
    'application/json; charset=x',
    ';',
    undefined,
  );

  it('when it is sent, then it is answered below 500, in an envelope, with a request id', async () => {
    await fc.assert(
      fc.asyncProperty(
        target,
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
        bodies,
        types,
        fc.boolean(),
        async (path, method, body, type, isAuthorized) => {
          const hasBody = method !== 'GET' && method !== 'HEAD';
          const answer = await gateway.send(path, {
            method,
            ...(hasBody && body !== undefined ? { body: Buffer.from(body) } : {}),
            headers: {
              ...(type ? { 'content-type': type } : {}),
              ...(isAuthorized ? { authorization: `Bearer ${token}` } : {}),
            },
          });
          expect(answer.status).toBeLessThan(500);
          expect(answer.headers.get('x-request-id')).toMatch(/\S/);
          if (answer.status >= 400 && method !== 'HEAD') expectEnvelope(answer);
        },
      ),
      { numRuns: 600 },
    );
  });
});

/** Mostly well encoded, now and then with what a careless client leaves in. */
function encodeLoosely(text: string): string {
  if (text.startsWith('%') || text === '*') return text;
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'));
}

function json(changes: object): string {
  return JSON.stringify({ ...topup, ...changes });
}

function raw(field: keyof typeof topup, value: string): string {
  return JSON.stringify({ ...topup, [field]: '@@' }).replace('"@@"', value);
}
