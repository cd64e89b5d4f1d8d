import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN, TestBackoffice } from './support/backoffice';

let backoffice: TestBackoffice;

beforeAll(async () => {
  backoffice = await TestBackoffice.start();
});
afterAll(() => backoffice.stop());
beforeEach(() => backoffice.reset());

describe('the console', () => {
  it('when the address is opened, then the page comes with its modules and may load nothing from elsewhere', async () => {
    const origin = backoffice.url;
    const page = await fetch(`${origin}/`);
    expect(page.url).toBe(`${origin}/console/`);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none';script-src 'self'/);
    const html = await page.text();
    for (const [, file] of html.matchAll(/(?:src|href)="([^"#]+)"/g)) {
      expect((await fetch(`${origin}/console/${file}`)).status).toBe(200);
    }
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
