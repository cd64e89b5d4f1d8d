import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@reseller/errors';
import { Health } from '@reseller/service-kit';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import {
  filePage,
  fixedPage,
  redirectPage,
  securityHeaders,
  statusPages,
  storedFilePage,
  type EdgeRoute,
  type Page,
  type StoredFile,
} from '../src';
import { startEdge, type RunningEdge } from './start-edge';

const ROUTES: EdgeRoute[] = [
  { method: 'POST', path: '/v1/things/{id}' },
  { method: 'GET', path: '/v1/things/{id}' },
];

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
let edge: RunningEdge;
beforeAll(async () => {
  edge = await startEdge(
    {
      routes: ROUTES,
      run: async (_exchange, { route }) => route.path,
      async beforeUnmatched({ request }) {
        if (request.headers['x-noisy']) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 7 });
      },
    },
    {
      pages: ({ metrics, log }) => [
        ...statusPages(new Health(metrics, log)),
        ['/', redirectPage('/files/')],
        ['/app/app.js', script],
        ['/app/assets/app.Ab12.js', script],
        ...stored,
      ],
      applications: [{ under: '/app/', page: fixedPage('<p>app</p>', 'text/html', {}) }],
    },
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  edge.close();
});

describe('a path that is no route', () => {
  it('when it is unknown or has other methods, then it is refused after what the edge has to say', async () => {
    expect((await edge.send('/v1/none')).state).toBe('NOT_FOUND_ROUTE');
    const other = await edge.send('/v1/things/1', { method: 'PUT' });
    expect([other.state, other.headers.get('allow')]).toEqual(['METHOD_NOT_ALLOWED', 'GET, HEAD, POST']);
    const page = await edge.send('/healthz', { method: 'POST' });
    expect([page.state, page.headers.get('allow')]).toEqual(['METHOD_NOT_ALLOWED', 'GET, HEAD']);
    const noisy = await edge.send('/v1/none', { headers: { 'x-noisy': '1' } });
    expect([noisy.status, noisy.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it('when it is a stored file, then it comes under its own policy, in a coding of the reader, and once', async () => {
    const start = await edge.send('/');
    expect([start.status, start.headers.get('location')]).toEqual([302, '/files/']);
    const page = await edge.send('/files/', {
      headers: { 'accept-encoding': 'gzip', 'x-request-id': 'mine' },
    });
    expect([page.status, page.text, page.headers.get('content-encoding')]).toEqual([200, PAGE, 'gzip']);
    expect(page.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(page.headers.get('x-request-id')).toBe('mine');
    const etag = page.headers.get('etag') ?? '';
    const again = await edge.send('/files/', { headers: { 'if-none-match': `"other", ${etag}` } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await edge.send('/files/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    const missing = await edge.send('/files/404', { headers: { 'accept-encoding': 'identity' } });
    expect([missing.status, missing.text, missing.headers.get('content-encoding')]).toEqual([
      404,
      PAGE,
      null,
    ]);
    expect((await edge.send('/files/', { method: 'POST' })).status).toBe(405);
  });

  it('when a stored file is gone, then the caller sees nothing of where it was, and it is read once it is there', async () => {
    const reply = await edge.send('/files/gone');
    expect([reply.status, reply.text.includes(folder)]).toEqual([500, false]);
    writeFileSync(path.join(folder, 'gone.html'), PAGE);
    expect((await edge.send('/files/gone')).text).toBe(PAGE);
  });

  it('when it is of an application in the browser, then each path under it shows its page, but for its own files', async () => {
    for (const target of ['/app/', '/app/orders/TU-1?environment=live', '/app/none.js'])
      expect([target, (await edge.send(target)).text]).toEqual([target, '<p>app</p>']);
    expect((await edge.send('/app/app.js')).text).toBe(SCRIPT);
    expect((await edge.send('/app/orders', { method: 'POST' })).status).toBe(405);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, GZIP;q=0.5', 'gzip'],
    ['identity', null],
    ['br;q=0.0', null],
  ])('when a reader takes %s, then a compressed file comes as %s', async (accepted, coding) => {
    const file = await edge.send('/app/app.js', { headers: { 'accept-encoding': accepted } });
    expect([file.headers.get('content-encoding'), file.text]).toEqual([coding, SCRIPT]);
    expect(file.headers.get('vary')).toBe('Accept-Encoding');
  });

  it('when health is requested, then an edge that does not serve yet is alive but not ready', async () => {
    expect((await edge.send('/healthz')).status).toBe(200);
    const ready = await edge.send('/readyz');
    expect([ready.status, ready.body?.details]).toEqual([
      503,
      expect.objectContaining({ checks: { serving: 'failed' } }),
    ]);
  });

  it('when requests were served, then they are counted by pattern, and made-up methods are no labels', async () => {
    await Promise.all(
      ['/v1/things/42', '/healthz', '/app/assets/app.Ab12.js'].map((path) => edge.send(path)),
    );
    await edge.raw('PROPFIND /v1/none HTTP/1.1\r\nConnection: close\r\n\r\n');
    const { text } = await edge.send('/metrics');
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
