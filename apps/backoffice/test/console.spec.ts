import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestBackoffice } from './support/backoffice';

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
