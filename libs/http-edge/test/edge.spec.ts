import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, isAppError } from '@reseller/errors';
import { Health } from '@reseller/service-kit';
import { eventually } from '@reseller/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import pino from 'pino';
import { Registry } from 'prom-client';
import { z } from 'zod';
import {
  createEdgeServer,
  edgeConfig,
  filePage,
  fixedPage,
  HeldPayload,
  Observer,
  readJsonBody,
  redirectPage,
  securityHeaders,
  statusPages,
  storedFilePage,
  StreamedPayload,
  type Edge,
  type EdgeRoute,
  type Page,
  type StoredFile,
} from '../src';

let made = 0;
let hasEnded = false;

/** An array as JSON in parts, which are counted as they are made. */
async function* numbers(count: number, breakAt = Infinity): AsyncGenerator<string> {
  if (count === 0) throw new AppError('NOT_FOUND_STATEMENT');
  hasEnded = false;
  try {
    yield '[0';
    for (made = 1; made < count; made += 1) {
      if (made === breakAt) throw new Error('the ledger is gone');
      yield `,${made}`;
    }
    yield ']';
  } finally {
    hasEnded = true;
  }
}

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
  { method: 'GET', path: '/v1/long', reply: () => StreamedPayload.open(numbers(200_000)) },
  { method: 'GET', path: '/v1/refused', reply: () => StreamedPayload.open(numbers(0)) },
  { method: 'GET', path: '/v1/torn', reply: () => StreamedPayload.open(numbers(200_000, 150_000)) },
  {
    method: 'GET',
    path: '/v1/held',
    // Held twice, and the second time by what fails, which is for whoever goes on to say.
    reply: () =>
      new HeldPayload(Promise.resolve(), async () => {
        const failing = Promise.reject(new AppError('NOT_FOUND_EVENT'));
        return new HeldPayload(failing, () =>
          failing.catch((error: unknown) => ({ heard: isAppError(error) && error.code })),
        );
      }),
  },
  {
    method: 'GET',
    path: '/v1/held-and-refused',
    reply: () =>
      new HeldPayload(Promise.resolve(), () => Promise.reject(new AppError('NOT_FOUND_EVENT'))).within(
        (resume) => resume(),
      ),
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
const edge: Edge<EchoRoute> = {
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
  async beforeUnmatched(exchange) {
    if (exchange.request.headers['x-noisy']) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 7 });
  },
};

const SCRIPT = 'let a = 1;';
const script = filePage(
  Buffer.from(SCRIPT),
  [
    { coding: 'br', bytes: brotliCompressSync(SCRIPT) },
    { coding: 'gzip', bytes: gzipSync(SCRIPT) },
  ],
  'text/javascript',
  { 'Cache-Control': 'immutable' },
);
const PAGE = '<p>hello</p>';
const folder = mkdtempSync(path.join(tmpdir(), 'edge-'));
writeFileSync(path.join(folder, 'index.html'), PAGE);
writeFileSync(path.join(folder, 'index.html.gz'), gzipSync(PAGE));
const storedFile = (name: string): StoredFile => ({
  file: path.join(folder, name),
  type: 'text/html; charset=utf-8',
  codings: name === 'index.html' ? ['gzip'] : [],
  hash: 'h-1',
  headers: securityHeaders({ defaultSrc: ["'self'"] }),
});
const stored: [string, Page][] = [
  ['/files/', storedFilePage(storedFile('index.html'))],
  ['/files/404', storedFilePage(storedFile('index.html'), 404)],
  ['/files/gone', storedFilePage(storedFile('gone.html'))],
];
const logged: { requestId?: string; level: number; err?: { message: string } }[] = [];
const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
const metrics = new Registry();
const health = new Health(metrics, log);
let server: Server;
let port: number;

beforeAll(async () => {
  server = createEdgeServer({
    edge,
    pages: new Map([
      ...statusPages(health),
      ['/', redirectPage('/files/')],
      ['/app/app.js', script],
      ['/app/assets/app.Ab12.js', script],
      ...stored,
    ]),
    applications: [{ under: '/app/', page: fixedPage('<p>app</p>', 'text/html', {}) }],
    observer: new Observer(metrics, log, 'faults'),
    connections: z.object(edgeConfig).parse({}),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  logged.length = 0;
});

async function send(target: string, init: RequestInit = {}) {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { redirect: 'manual', ...init });
  const text = await response.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as { state: string; details: object }) : undefined;
  return { status: response.status, headers: response.headers, text, state: body?.state, body };
}

type Body = NonNullable<RequestInit['body']>;

const post = (body: Body, headers: Record<string, string> = {}) =>
  send('/v1/things/1', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

/** Writes bytes and reads until the other side closes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.write(bytes);
  });
}

describe('a payload that is held', () => {
  it('when its wait settles, however, then the request goes on, as often as it is held again', async () => {
    const { status, text } = await send('/v1/held');
    expect([status, text]).toEqual([200, '{"state":"SUCCESS","payload":{"heard":"NOT_FOUND_EVENT"}}']);
  });

  it('when going on is refused, then that is the response', async () => {
    expect((await send('/v1/held-and-refused')).status).toBe(404);
  });
});

describe('a payload that is made while it is written', () => {
  it('when it is read, then it is whole, in its envelope, and HEAD has none of it', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/long`);
    const { state, payload } = (await response.json()) as { state: string; payload: number[] };
    expect([response.status, state, payload.length, payload.at(-1)]).toEqual([
      200,
      'SUCCESS',
      200_000,
      199_999,
    ]);
    const head = await fetch(`http://127.0.0.1:${port}/v1/long`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    // What makes it may hold a cursor, or listen to something.
    expect(hasEnded).toBe(true);
  });

  it('when its beginning is refused, then that is the response', async () => {
    expect((await send('/v1/refused')).body?.state).toBe('NOT_FOUND_STATEMENT');
  });

  it('when it breaks half-way, then the response breaks off, and the log says why', async () => {
    logged.length = 0;
    const reply = fetch(`http://127.0.0.1:${port}/v1/torn`).then((response) => response.text());
    await expect(reply).rejects.toThrow();
    expect(logged.map(({ err }) => err?.message)).toContain('the ledger is gone');
  });

  it('when its reader stops reading, then no more is made than fits on the way', async () => {
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.pause();
    made = 0;
    socket.write('GET /v1/long HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(async () => expect(made).toBeGreaterThan(1));
    socket.destroy();
    expect(made).toBeLessThan(200_000);
  });
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
      const replies = await raw(
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
      expect(logged).toEqual([]);
    },
  );

  it('when looking for room throws, then this request alone fails, and the edge goes on', async () => {
    const reply = await send('/v1/things/1', { headers: { 'x-crowd': 'broken' } });
    expect([reply.status, reply.state]).toEqual([500, 'INTERNAL_ERROR']);
    expect((await send('/v1/things/1')).status).toBe(200);
  });

  it('when HEAD requests what GET has, then only the body is missing', async () => {
    const [get, head] = await Promise.all([send('/v1/things/1'), send('/v1/things/1', { method: 'HEAD' })]);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });

  it('when it throws what nobody foresaw, then the caller sees nothing of it and the log all', async () => {
    const reply = await send('/v1/broken', { headers: { 'x-request-id': 'r-7' } });
    expect([reply.status, reply.state]).toEqual([500, 'INTERNAL_ERROR']);
    expect(reply.text).not.toContain('secret');
    expect(logged).toMatchObject([{ level: 50, requestId: 'r-7', err: { message: 'secret host db-7' } }]);
  });

  it('when a service is away, then one short line says why and Retry-After says when to come again', async () => {
    const reply = await send('/v1/away');
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
    expect(logged).toMatchObject([{ level: 40, route: '/v1/away', reason: 'refused' }]);
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

describe('a path that is no route', () => {
  it('when it is unknown or has other methods, then it is refused after what the edge has to say', async () => {
    expect((await send('/v1/none')).state).toBe('NOT_FOUND_ROUTE');
    const other = await send('/v1/things/1', { method: 'PUT' });
    expect([other.state, other.headers.get('allow')]).toEqual(['METHOD_NOT_ALLOWED', 'GET, HEAD, POST']);
    const page = await send('/healthz', { method: 'POST' });
    expect([page.state, page.headers.get('allow')]).toEqual(['METHOD_NOT_ALLOWED', 'GET, HEAD']);
    const noisy = await send('/v1/none', { headers: { 'x-noisy': '1' } });
    expect([noisy.status, noisy.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it('when it is a stored file, then it comes under its own policy, in a coding of the reader, and once', async () => {
    const start = await send('/');
    expect([start.status, start.headers.get('location')]).toEqual([302, '/files/']);
    const page = await send('/files/', { headers: { 'accept-encoding': 'gzip', 'x-request-id': 'mine' } });
    expect([page.status, page.text, page.headers.get('content-encoding')]).toEqual([200, PAGE, 'gzip']);
    expect(page.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(page.headers.get('x-request-id')).toBe('mine');
    const etag = page.headers.get('etag') ?? '';
    const again = await send('/files/', { headers: { 'if-none-match': `"other", ${etag}` } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await send('/files/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    const missing = await send('/files/404', { headers: { 'accept-encoding': 'identity' } });
    expect([missing.status, missing.text, missing.headers.get('content-encoding')]).toEqual([
      404,
      PAGE,
      null,
    ]);
    expect((await send('/files/', { method: 'POST' })).status).toBe(405);
  });

  it('when a stored file is gone, then the caller sees nothing of where it was, and it is read once it is there', async () => {
    const reply = await send('/files/gone');
    expect([reply.status, reply.text.includes(folder)]).toEqual([500, false]);
    writeFileSync(path.join(folder, 'gone.html'), PAGE);
    expect((await send('/files/gone')).text).toBe(PAGE);
  });

  it('when it is of an application in the browser, then each path under it shows its page, but for its own files', async () => {
    for (const target of ['/app/', '/app/orders/TU-1?environment=live', '/app/none.js'])
      expect([target, (await send(target)).text]).toEqual([target, '<p>app</p>']);
    expect((await send('/app/app.js')).text).toBe(SCRIPT);
    expect((await send('/app/orders', { method: 'POST' })).status).toBe(405);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, GZIP;q=0.5', 'gzip'],
    ['identity', null],
    ['br;q=0.0', null],
  ])('when a reader takes %s, then a compressed file comes as %s', async (accepted, coding) => {
    const file = await send('/app/app.js', { headers: { 'accept-encoding': accepted } });
    expect([file.headers.get('content-encoding'), file.text]).toEqual([coding, SCRIPT]);
    expect(file.headers.get('vary')).toBe('Accept-Encoding');
  });

  it('when health is requested, then an edge that does not serve yet is alive but not ready', async () => {
    expect((await send('/healthz')).status).toBe(200);
    const ready = await send('/readyz');
    expect([ready.status, ready.body?.details]).toEqual([
      503,
      expect.objectContaining({ checks: { serving: 'failed' } }),
    ]);
  });

  it('when requests were served, then they are counted by pattern, and made-up methods are no labels', async () => {
    await Promise.all(['/v1/things/42', '/healthz', '/app/assets/app.Ab12.js'].map((path) => send(path)));
    await raw('PROPFIND /v1/none HTTP/1.1\r\nConnection: close\r\n\r\n');
    const { text } = await send('/metrics');
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/v1/things/{id}",status="200"}',
    );
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}');
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/app/assets/*",status="200"}',
    );
    expect(text).toContain('http_request_duration_seconds_count{method="other",route="none",status="404"}');
    expect(text).toContain('http_request_errors_total{method="other",route="none",code="NOT_FOUND_ROUTE"} 1');
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
    const reply = await raw(bytes);
    expect(reply).toMatch(start);
    expect(reply).toMatch(/\r\nX-Request-Id: [\w.-]+\r\n/i);
    expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4))).toHaveProperty('state');
  });
});
