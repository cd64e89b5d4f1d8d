import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { OPERATOR_TOKEN, TestBackoffice, useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();
const read = (target: string) => fetch(`${backoffice.url}/console/${target}`);

beforeAll(() => {
  // By setup.mjs, before any test.
  expect(existsSync(path.join(__dirname, '../../../dist/apps/console/index.html'))).toBe(true);
});

describe('the console', () => {
  it('when the address is opened, then it leads to the console', async () => {
    expect((await fetch(`${backoffice.url}/`)).url).toBe(`${backoffice.url}/console/`);
  });

  it('when any of its addresses is opened, then its page comes, never kept, with its files to be kept for good', async () => {
    const page = await read('orders/TU-1?environment=live');
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const files = [...(await page.text()).matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const { status, headers } = await fetch(backoffice.url + file, {
        headers: { 'accept-encoding': 'br' },
      });
      expect([file, status, headers.get('cache-control')]).toEqual([
        file,
        200,
        expect.stringMatching(/immutable/),
      ]);
      expect(headers.get('content-encoding')).toBe('br');
    }
  });

  it('when its page comes, then it may run no script of its own text and nothing from elsewhere, by another nonce each time', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await read('')).headers.get('content-security-policy')),
    );
    expect(policies[0]).toMatch(
      /^default-src 'none';script-src 'self';style-src 'self' 'nonce-[\w+/=]{24}';/,
    );
    expect(policies[0]).not.toMatch(/unsafe|https?:|\*/);
    expect(policies[0]).not.toBe(policies[1]);
    const page = await read('');
    const [, nonce] = /'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
    const html = await page.text();
    expect(html).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
    expect(html).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=/);
  });

  it('when a file of an earlier version is wanted, then it is not found, and the page does not come in its place', async () => {
    const gone = await read('assets/index-00000000.js');
    expect([gone.status, await gone.json()]).toEqual([
      404,
      expect.objectContaining({ state: 'NOT_FOUND_ROUTE' }),
    ]);
  });
});

describe('the console and the API in production', () => {
  let plain: TestBackoffice;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${plain.url}${path}`, { headers });
  const start = (more: Record<string, string> = {}) =>
    TestBackoffice.start({
      NODE_ENV: 'production',
      PLAINTEXT_ALLOWED: 'rpc',
      TRUST_PROXY: 'loopback',
      ...more,
    });
  afterEach(() => plain.stop());

  it('when a proxy forwards a caller that came by http, then all but the probes is refused with what to do', async () => {
    plain = await start();
    for (const path of [
      '/',
      '/console/',
      '/ops/v1/partners',
      '/ops/v1/openapi.json',
      '/auth/sign-in',
      '/nothing',
    ]) {
      const response = await get(path, {
        'x-forwarded-proto': 'http',
        authorization: `Bearer ${OPERATOR_TOKEN}`,
      });
      const { state, details } = (await response.json()) as { state: string; details: { message: string } };
      expect([path, response.status, state]).toEqual([path, 400, 'VALIDATION_FAILED']);
      expect(details.message).toMatch(/by https/);
    }
    for (const probe of ['/healthz', '/readyz', '/metrics'])
      expect([probe, (await get(probe, { 'x-forwarded-proto': 'http' })).status]).toEqual([probe, 200]);
    expect(plain.fakes.log).toEqual([]);
  });

  it('when the caller came by https, or is on this machine, then it is served', async () => {
    plain = await start();
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };
    for (const headers of [forwarded, undefined])
      for (const path of ['/console/', '/ops/v1/openapi.json'])
        expect([path, (await get(path, headers)).status]).toEqual([path, 200]);
  });

  it('when plain text is allowed for the console in so many words, then whoever comes is served', async () => {
    plain = await start({ PLAINTEXT_ALLOWED: 'rpc,console' });
    expect((await get('/console/', { 'x-forwarded-proto': 'http' })).status).toBe(200);
  });
});
