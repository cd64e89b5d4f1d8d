import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { TestBackoffice } from './support/backoffice';

let backoffice: TestBackoffice;
const read = (target: string) => fetch(`${backoffice.url}/console/next/${target}`);

beforeAll(async () => {
  // By setup.mjs, before any test.
  expect(existsSync(path.join(__dirname, '../../../dist/apps/console/index.html'))).toBe(true);
  backoffice = await TestBackoffice.start();
});
afterAll(() => backoffice.stop());

describe('the console of apps/console', () => {
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
