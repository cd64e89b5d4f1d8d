import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '@reseller/testing/jest';
import { newTopup } from '../src/clients/bodies';
import { barriersOf, ConsoleBrowser, missingBrowser } from '../src/clients/console-browser';
import { undecidedOrder } from '../src/clients/console-work';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import { expectSuccess } from '../src/clients/response';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);
const CHANGES = '**/ops/v1/changes';

describeWith(missingBrowser, 'the console while things happen (spec §18)', () => {
  let browser: ConsoleBrowser;
  let partner: TestPartner;

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(platform);
    partner = await operator.newPartner({ deposit: 1_000 });
  });
  afterEach(() => browser.closePages());
  afterAll(() => browser.stop());

  /** Places an order, and says its id once the list that is looked at has it. */
  const seenOrder = async (page: Awaited<ReturnType<ConsoleBrowser['signedIn']>>): Promise<void> => {
    const { orderGlobalId } = expectSuccess(await partner.live.topup(newTopup({ amount: 12 })));
    await page.getByText(orderGlobalId).waitFor();
  };

  test('when an order comes while its list is looked at, then the stream is open and it is there without a reload', async () => {
    const page = await browser.signedIn('viewer', `/orders?environment=live&partnerId=${partner.id}`);
    const stream = page.waitForRequest(CHANGES);
    await page.reload();
    await stream;
    await page.getByText('Nothing fits these filters.').waitFor();
    await seenOrder(page);
    expect(await barriersOf(page)).toEqual([]);
  });

  test('when there is no stream of changes, then the list is read by the clock', async () => {
    const page = await browser.signedIn('viewer', `/overview`);
    await page.route(CHANGES, (route) => route.abort());
    await page.goto(`${platform.backofficeUrl}/console/orders?environment=live&partnerId=${partner.id}`);
    await page.getByRole('row').nth(1).waitFor();
    await seenOrder(page);
  });

  test('when the network goes away in the middle of a decision, then the page says so, nothing is lost, and it is made once it is back', async () => {
    const orderGlobalId = await undecidedOrder(partner);
    const page = await browser.signedIn('support', `/orders/${orderGlobalId}`);
    await page.getByRole('button', { name: 'Resolve as failed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why').fill('The vendor has no such order.');
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Resolve as failed' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Why').inputValue()).toBe('The vendor has no such order.');
    expect(await barriersOf(page)).toEqual([]);
    await page.context().setOffline(false);
    await dialog.getByRole('button', { name: 'Resolve as failed' }).click();
    await page.getByText(`${orderGlobalId} is now Failed.`).waitFor();
  });

  test('when two operators decide an order differently at once, then one has decided it and the other reads that it was too late', async () => {
    const orderGlobalId = await undecidedOrder(partner);
    const pages = await Promise.all(
      ['support', 'admin'].map((role) => browser.signedIn(role, `/orders/${orderGlobalId}`)),
    );
    const decisions = ['Resolve as completed', 'Resolve as failed'];
    for (const [at, page] of pages.entries()) {
      await page.getByRole('button', { name: decisions[at] }).click();
      await page.getByRole('dialog').getByLabel('Why').fill('Seen at the vendor.');
    }
    await Promise.all(
      pages.map((page, at) =>
        page.getByRole('dialog').getByRole('button', { name: decisions[at] }).press('Enter'),
      ),
    );
    const ends = await Promise.all(
      pages.map((page) =>
        Promise.race([
          page
            .getByText(`${orderGlobalId} is now`)
            .waitFor()
            .then(() => 'decided'),
          page
            .locator('.mantine-Notification-root')
            .filter({ hasNotText: 'is now' })
            .waitFor()
            .then(() => 'refused'),
        ]),
      ),
    );
    expect(ends.sort()).toEqual(['decided', 'refused']);
  });
});
