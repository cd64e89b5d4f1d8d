import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@reseller/errors';
import { Health } from '@reseller/service-kit';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { readJsonBody, statusPages, type Edge, type EdgeRoute } from '../src';
import { startEdge, type RunningEdge } from './start-edge';

interface EchoRoute extends EdgeRoute {
  reply?: () => unknown;
}

const ROUTES: EchoRoute[] = [
  {
    method: 'POST',
    path: '/v1/things/{id}',
    params: z.object({ id: z.string().max(5) }),
    body: z.strictObject({ amount: z.number().transform(String) }),
    success: { state: 'CREATED', status: 201 },
  },
  { method: 'GET', path: '/v1/things/{id}', query: z.object({ page: z.string().optional() }) },
  {
    method: 'GET',
    path: '/v1/broken',
    reply: () => {
      throw new Error('secret host db-7');
    },
  },
  {
    method: 'GET',
    path: '/v1/away',
    reply: () => {
      throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: new Error('refused') });
    },
  },
];

/** Returns what it was given. */
const echo: Edge<EchoRoute> = {
  routes: ROUTES,
  async run(exchange, { route, validate }, params, search) {
    const input = validate(params, search, route.body ? await readJsonBody(exchange.request) : {});
    return route.reply ? route.reply() : input;
  },
  turnAway({ request }) {
    const crowd = request.headers['x-crowd'];
    if (crowd === 'broken') throw new Error('secret host db-8');
    return crowd ? 3 : undefined;
  },
};

let edge: RunningEdge;
beforeAll(async () => {
  edge = await startEdge(echo, { pages: ({ metrics, log }) => statusPages(new Health(metrics, log)) });
});
afterAll(() => edge.close());
beforeEach(() => {
  edge.logged.length = 0;
});

type Body = NonNullable<RequestInit['body']>;

const post = (body: Body, headers: Record<string, string> = {}) =>
  edge.send('/v1/things/1', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('a route', () => {
  it('when it responds, then in its envelope, under its own state and status, safe and uncached', async () => {
    const reply = await post('{"amount":10.10}', { 'x-request-id': 'mine' });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      state: 'CREATED',
      payload: { params: { id: '1' }, query: {}, body: { amount: '10.1' } },
    });
    expect(reply.headers.get('x-request-id')).toBe('mine');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(reply.headers.get('x-powered-by')).toBeNull();
  });

  it.each([20, 50_000])(
    'when there is no room, then it is refused before its body of %d bytes, and the connection goes on (spec §14.2)',
    async (length) => {
      const body = 'x'.repeat(length);
      const replies = await edge.raw(
        `POST /v1/things/1 HTTP/1.1\r\nX-Crowd: 1\r\nX-Request-Id: r-8\r\nContent-Length: ${length}\r\n\r\n${body}` +
          'GET /v1/things/2 HTTP/1.1\r\nConnection: close\r\n\r\n',
      );
      const [refusal = '', next = ''] = replies.split(/(?=HTTP\/1\.1 200)/);
      const [head = '', envelope = ''] = refusal.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1.1 503 .*\r\nX-Request-Id: r-8\r\n/s);
      expect(head).toContain('\r\nRetry-After: 3\r\n');
      expect(head).toContain(`\r\nContent-Length: ${envelope.length}\r\n`);
      expect(JSON.parse(envelope)).toEqual({
        state: 'SERVICE_UNAVAILABLE',
        payload: null,
        details: { message: expect.any(String), requestId: 'r-8' },
      });
      expect(next).toContain('"state":"SUCCESS"');
      expect(edge.logged).toEqual([]);
    },
  );

  it('when looking for room throws, then this request alone fails, and the edge goes on', async () => {
    const reply = await edge.send('/v1/things/1', { headers: { 'x-crowd': 'broken' } });
    expect([reply.status, reply.state]).toEqual([500, 'INTERNAL_ERROR']);
    expect((await edge.send('/v1/things/1')).status).toBe(200);
  });

  it('when HEAD requests what GET has, then only the body is missing', async () => {
    const [get, head] = await Promise.all([
      edge.send('/v1/things/1'),
      edge.send('/v1/things/1', { method: 'HEAD' }),
    ]);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });

  it('when it throws what nobody foresaw, then the caller sees nothing of it and the log all', async () => {
    const reply = await edge.send('/v1/broken', { headers: { 'x-request-id': 'r-7' } });
    expect([reply.status, reply.state]).toEqual([500, 'INTERNAL_ERROR']);
    expect(reply.text).not.toContain('secret');
    expect(edge.logged).toMatchObject([
      { level: 50, requestId: 'r-7', err: { message: 'secret host db-7' } },
    ]);
  });

  it('when a service is away, then one short line says why and Retry-After says when to come again', async () => {
    const reply = await edge.send('/v1/away');
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
    expect(edge.logged).toMatchObject([{ level: 40, route: '/v1/away', reason: 'refused' }]);
  });
});

describe('a body', () => {
  it.each<[string, Body, Record<string, string>, string]>([
    ['no JSON', '{"amount":', {}, 'VALIDATION_MALFORMED_JSON'],
    ['an array', '[]', {}, 'VALIDATION_MALFORMED_JSON'],
    ['nothing', '', {}, 'VALIDATION_FAILED'],
    ['an amount beyond a double', '{"amount":10.10000000000000000001}', {}, 'VALIDATION_FAILED'],
    ['over 100 KiB', `{"a":"${'x'.repeat(102_400)}"}`, {}, 'VALIDATION_PAYLOAD_TOO_LARGE'],
    ['compressed', gzipSync('{}'), { 'content-encoding': 'gzip' }, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'],
    ['text', '{}', { 'content-type': 'text/plain' }, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'],
    [
      'in another charset',
      '{}',
      { 'content-type': 'application/json; charset=utf-16' },
      'VALIDATION_UNSUPPORTED_MEDIA_TYPE',
    ],
  ])('when it is %s, then it is refused as such', async (_case, body, headers, state) => {
    const reply = await post(body, headers);
    expect(reply.state).toBe(state);
    expect(reply.body?.details).toMatchObject({ requestId: reply.headers.get('x-request-id') });
  });
});

describe('bytes that are hardly HTTP', () => {
  const close = 'Connection: close\r\n\r\n';
  it.each<[string, string, RegExp]>([
    ['garbage', 'hello\r\n\r\n', /^HTTP\/1.1 400 /],
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1.1 400 /],
    ['no host', `GET /v1/none HTTP/1.1\r\n${close}`, /^HTTP\/1.1 404 /],
    ['an absolute target', `GET http://other/healthz HTTP/1.1\r\nHost: a\r\n${close}`, /^HTTP\/1.1 200 /],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1.1 405 /],
    [
      'an unknown expectation',
      `GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: x\r\n${close}`,
      /^HTTP\/1.1 200 /,
    ],
  ])('when %s arrives, then it gets an envelope with a request id', async (_case, bytes, start) => {
    const reply = await edge.raw(bytes);
    expect(reply).toMatch(start);
    expect(reply).toMatch(/\r\nX-Request-Id: [\w.-]+\r\n/i);
    expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4))).toHaveProperty('state');
  });
});
