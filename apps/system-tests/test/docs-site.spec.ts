import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '@reseller/testing/jest';
import { ConsoleBrowser, missingBrowser } from '../src/clients/console-browser';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();

/** Of a telephone and of a laptop. */
const WIDTHS = [390, 1280];

describeWith(missingBrowser, 'the documentation in a browser (spec §1.9)', () => {
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(platform);
  });
  afterEach(() => {
    expect(browser.faults.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.stop();
  });

  test.each(WIDTHS)(
    'when somebody %d pixels wide searches it, then the page that is found is shown, and nothing runs out at the side',
    async (width) => {
      const page = await browser.visited('/docs', width);
      await page.locator('#local-search button').click();
      await page.getByRole('searchbox').fill('insufficient balance');
      await page.getByRole('option').first().click();
      await page.locator('.vp-doc h1').waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/docs\/partners\//);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    },
  );

  test.each(WIDTHS)(
    'when somebody %d pixels wide opens an address that is not there, then a page says so',
    async (width) => {
      const page = await browser.visited('/docs/nothing', width);
      await page.getByText('PAGE NOT FOUND').waitFor();
    },
  );

  test('when a partner tries a call in the reference, then it is made under the policy of the page', async () => {
    const page = await browser.visited('/docs/#/Authentication', 1280);
    await page.waitForURL('**/docs/reference');
    await page.getByRole('link', { name: 'Partner Reseller' }).waitFor();
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Send/ }).first().click();
    await page.getByText('"UNAUTHORIZED_INVALID_CREDENTIALS"').first().waitFor();
  });
});
