import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { send } from '../src/clients/response';
import type { SendOptions } from '../src/clients/response';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import { newTopup, phoneEnding } from '../src/clients/bodies';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
let partner: TestPartner;
beforeAll(async () => {
  partner = await new OperatorClient(platform).newPartner({ deposit: 1_000 });
});

const topup = (change: object): SendOptions => ({ body: { ...newTopup(), ...change } });
const post = '/orders/topup';

describe('routes', () => {
  test('when a method is not served, then Allow names those that are', async () => {
    const response = await partner.sandbox.call('/wallet/balance', { method: 'PUT', body: {} });
    expect(response.headers.get('allow')).toMatch(/GET/);
  });

  test('when unknown query parameters come along, then they are ignored', async () => {
    expect((await partner.sandbox.call('/orders?unknown=1')).status).toBe(200);
  });
});

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: { readonly format?: string };
  }[];
  readonly requestBody?: { readonly required?: boolean };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Every operation of the API that needs no body, by its method, its path and its parameters. */
async function operationsWithoutBody() {
  const { paths } = (await (await fetch(`${platform.gatewayUrl}/api/v1/openapi.json`)).json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, parameters = [] }]) =>
      requestBody?.required
        ? []
        : { path: path.replace('/api/v1', ''), method: method.toUpperCase(), parameters },
    ),
  );
}

describe('whatever the resource', () => {
  test('when an id is a UUID of no version, then it is one that nothing has, and not malformed (spec §1.5)', async () => {
    const states = new Map<string, string>();
    for (const { path, method, parameters } of await operationsWithoutBody()) {
      const ids = parameters.filter(({ in: place, schema }) => place === 'path' && schema.format === 'uuid');
      if (ids.length === 0) continue;
      const url = path.replaceAll(/\{\w+\}/g, '11111111-1111-1111-1111-111111111111');
      const { state } = await partner.sandbox.call(url, { method });
      states.set(`${method} ${path}`, state);
    }
    expect(states.size).toBeGreaterThan(25);
    expect([...states].filter(([, state]) => !state.startsWith('NOT_FOUND_'))).toEqual([]);
  });

  test('when a page is far past the end, then it is empty (spec §1.6)', async () => {
    const isList = ({
      path,
      method,
      parameters,
    }: {
      path: string;
      method: string;
      parameters: Operation['parameters'];
    }) => method === 'GET' && !path.includes('{') && parameters?.some(({ name }) => name === 'page');
    const lists = (await operationsWithoutBody()).filter(isList);
    expect(lists.length).toBeGreaterThan(10);
    for (const { path } of lists) {
      const { status, payload } = await partner.sandbox.call<{ items: unknown[] } | null>(
        `${path}?page=2147483647&pageSize=100`,
      );
      expect([path, status, payload?.items]).toEqual([path, 200, []]);
    }
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

  test('when the path is unknown and the token missing, then the path is refused first', async () => {
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
  ])('when a token is requested with %s, then it is refused', async (_what, body, status, code) => {
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
