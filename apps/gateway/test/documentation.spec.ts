import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expectEnvelope, useGateway } from './support/gateway';

const HTML = 'text/html; charset=utf-8';
const above = mkdtempSync(path.join(tmpdir(), 'site-'));
const folder = path.join(above, 'site');
const gateway = useGateway({ DOCS_SITE_DIR: folder });

/** A site as apps/docs-site leaves one, and beside it what nobody may see. */
function build(title: string): void {
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  const write = (name: string, text: string): void => {
    writeFileSync(path.join(folder, name), text);
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text));
  };
  const files = ['index.html', '404.html', 'partners/errors.html', 'assets/app.Ab12.js'].map((file) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    write(file, `${title} ${file}`);
    return {
      address: `/docs/${file.replace(/(index)?\.html$/, '')}`,
      file,
      type: file.endsWith('.html') ? HTML : 'text/javascript; charset=utf-8',
      codings: ['gzip'],
      hash: `${title}-${file}`,
      immutable: file.startsWith('assets/'),
    };
  });
  const redirects = { '/docs/partners': '/docs/partners/errors' };
  writeFileSync(path.join(folder, 'site.json'), JSON.stringify({ files, redirects }));
  writeFileSync(path.join(folder, 'secret.html'), 'secret');
  writeFileSync(path.join(above, 'secret.html'), 'secret');
}

afterAll(() => rmSync(above, { recursive: true }));

const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

describe('the documentation', () => {
  it('when it is not built, then /docs says how to, and the reference is there', async () => {
    for (const address of ['/docs', '/docs/']) {
      const page = await gateway.send(address);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, HTML]);
      expect(page.text).toContain('npm run docs');
      expect(page.text).toContain('href="/docs/reference"');
    }
    expect((await gateway.send('/docs/partners/errors', browser)).status).toBe(404);
    expect((await gateway.send('/docs/reference')).status).toBe(200);
  });

  it('when it is built, and built again, then the gateway shows the latest without a start', async () => {
    build('first');
    for (const address of ['/docs', '/docs/'])
      expect((await gateway.send(address)).text).toBe('first index.html');
    expect((await gateway.send('/docs/partners/errors')).text).toBe('first partners/errors.html');
    build('second');
    // Two builds in one tick of the file system's clock happen in tests only.
    utimesSync(path.join(folder, 'site.json'), new Date(), new Date(Date.now() + 2_000));
    expect((await gateway.send('/docs/')).text).toBe('second index.html');
  });

  it('when a page is requested again, then it is 304 until it changes; a file with its hash in its name is kept for good', async () => {
    const page = await gateway.send('/docs/partners/errors');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('content-encoding')).toBe('gzip');
    const known = { headers: { 'if-none-match': page.headers.get('etag') ?? '' } };
    expect((await gateway.send('/docs/partners/errors', known)).status).toBe(304);
    expect((await gateway.send('/docs/', known)).status).toBe(200);
    const asset = await gateway.send('/docs/assets/app.Ab12.js');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('when a page is shown, then only what this gateway serves may run in it, and nothing written into it', async () => {
    const page = await gateway.send('/docs/');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none';script-src 'self';style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const asset = await gateway.send('/docs/assets/app.Ab12.js');
    expect(asset.headers.get('content-security-policy')).toBe("default-src 'none'");
  });

  it('when an address is unknown, then a browser gets the page for that, and a program the error envelope', async () => {
    const page = await gateway.send('/docs/nothing', browser);
    expect([page.status, page.text]).toEqual([404, 'second 404.html']);
    const envelope = await gateway.send('/docs/nothing');
    expectEnvelope(envelope);
    expect(envelope.body.state).toBe('NOT_FOUND_ROUTE');
    const moved = await gateway.send('/docs/partners', { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/docs/partners/errors']);
    expect((await gateway.send('/docs/', { method: 'POST' })).status).toBe(405);
  });

  it.each([
    '/docs/../secret.html',
    '/docs/%2e%2e/secret.html',
    '/docs/..%2fsecret.html',
    '/docs/secret.html',
    '/docs/secret',
    '/docs/site.json',
    '/docs/index.html',
    '/docs//',
    '/docs/partners/errors.html',
    '/docs/__proto__',
    '/docs/%00',
  ])(
    'when %s is requested, which the list of the site does not name, then it is not there',
    async (target) => {
      const response = await gateway.raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(response).toMatch(/^HTTP\/1\.1 404 /);
      expect(response).toContain('NOT_FOUND_ROUTE');
      expect(response).not.toMatch(/\r\n\r\nsecret/);
    },
  );
});
