import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '@reseller/testing/jest';
import { newTopup } from '../src/clients/bodies';
import { barriersOf, ConsoleBrowser, missingBrowser } from '../src/clients/console-browser';
import { openPage, savedBy, undecidedOrder } from '../src/clients/console-work';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import { expectSuccess } from '../src/clients/response';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);

describeWith(missingBrowser, 'the console in a browser (spec §18)', () => {
  let browser: ConsoleBrowser;
  let partner: TestPartner;

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(platform);
    partner = await operator.newPartner({ deposit: 100 });
  });
  afterEach(() => browser.closePages());
  afterAll(() => browser.stop());

  test('when an operator comes from the overview to an order and decides it, then the money is explained first and the order ends', async () => {
    const orderGlobalId = await undecidedOrder(partner);
    const page = await browser.signedIn('support', '/overview');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('link', { name: /^Differences: \d/ }).waitFor();
    await page.getByRole('link', { name: /^Orders: [1-9]/ }).click();
    await page.waitForURL(/parked=true/);
    await page.getByRole('link', { name: orderGlobalId }).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.getByText('vendor.submit', { exact: true }).waitFor();
    await page.getByText('"amount": "14.00"').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resolve as failed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('14.00 SAR that are held for this order are given back').waitFor();
    await dialog.getByLabel('Why').fill('The vendor has no such order.');
    await dialog.getByRole('button', { name: 'Resolve as failed' }).click();
    await page.getByText(`${orderGlobalId} is now Failed.`).waitFor();
    await page.getByText('Nothing can be decided about this order now.').waitFor();
    const { items } = await operator.get<{ items: object[] }>(`/orders?orderGlobalId=${orderGlobalId}`);
    expect(items).toMatchObject([{ status: 'Failed' }]);
  });

  test('when orders went to a vendor, then the overview shows how it does, and leads to the orders under way', async () => {
    expectSuccess(await partner.live.topup(newTopup({ amount: 10 })));
    const page = await browser.signedIn('viewer', '/overview?hours=1');
    const vendors = page.getByRole('region', { name: 'Vendors' });
    await vendors.getByRole('row', { name: /[1-9]\d* .*%.* ms/ }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await vendors.getByRole('link', { name: /^Orders waiting for it now, / }).click();
    await page.waitForURL(/status=Processing/);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
  });

  test('when another operator decides the order that is looked at, then the page says so', async () => {
    const orderGlobalId = await undecidedOrder(partner);
    const page = await browser.signedIn('support', `/orders/${orderGlobalId}`);
    await page.getByRole('button', { name: 'Resolve as completed' }).waitFor();
    await operator.post(`/orders/${orderGlobalId}/resolve`, { outcome: 'Failed', notes: 'Seen elsewhere.' });
    await page.getByText('it is Failed now').waitFor();
    await page.getByRole('button', { name: 'Show what is new' }).click();
    await page.getByText('Nothing can be decided about this order now.').waitFor();
  });

  test('when a role may not decide, then the button says which role it needs and does nothing', async () => {
    const page = await browser.signedIn('viewer', `/orders/${await undecidedOrder(partner)}`);
    const button = page.getByRole('button', { name: 'Resolve as failed' });
    await button.waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.focus();
    await page.getByRole('tooltip').getByText('It needs the role support.').waitFor();
    await button.press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('when a reference is searched by Ctrl-K from the other world, then its order is found and opened in its own', async () => {
    const body = newTopup({ amount: 10 });
    const { orderGlobalId } = expectSuccess(await partner.live.topup(body));
    const page = await browser.signedIn('viewer', '/orders?environment=sandbox');
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Search' }).fill(body.externalReference);
    await page.getByText(orderGlobalId).last().waitFor();
    await page.getByRole('dialog').getByText(orderGlobalId).click();
    await page.waitForURL(new RegExp(`${orderGlobalId}.*environment=live`));
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  });

  test('when filters are set, then they are in the address, and the list and its CSV have what fits', async () => {
    const body = newTopup({ amount: 11 });
    const { orderGlobalId } = expectSuccess(await partner.live.topup(body));
    const page = await browser.signedIn('viewer', '/orders?environment=live');
    await page.getByLabel('Reference').fill(body.externalReference);
    await page.getByLabel('Reference').press('Enter');
    await page.waitForURL(/externalReference=/);
    await page.getByText('1 in all').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    const text = await savedBy(page.getByRole('link', { name: 'Export CSV' }));
    expect(text.split('\r\n')).toEqual([
      expect.stringMatching(/^\uFEFFproductType,orderId,orderGlobalId,/),
      expect.stringContaining(`,${orderGlobalId},${body.externalReference},`),
      '',
    ]);
    await page.getByLabel('Environment').getByText('Sandbox').click();
    await page.getByText('Nothing fits these filters.').waitFor();
    await page.reload();
    await page.getByText('Nothing fits these filters.').waitFor();
  });

  test('when the list is turned round, then the oldest orders come first, in the address and in the CSV too', async () => {
    const seller = await operator.newPartner({ deposit: 100 });
    const placed: string[] = [];
    for (const amount of [10, 11, 12])
      placed.push(expectSuccess(await seller.live.topup(newTopup({ amount }))).orderGlobalId);
    const page = await browser.signedIn('viewer', `/orders?environment=live&partnerId=${seller.id}`);
    const first = (id: string | undefined) =>
      page
        .getByRole('row')
        .nth(1)
        .getByText(id ?? '')
        .waitFor();
    await first(placed[2]);
    await page.getByRole('button', { name: 'Submitted' }).click();
    await page.waitForURL(/sort=oldest/);
    await first(placed[0]);
    expect(await page.locator('th[aria-sort=ascending]').count()).toBe(1);
    expect(await barriersOf(page)).toEqual([]);
    const [, oldest] = (await savedBy(page.getByRole('link', { name: 'Export CSV' }))).split('\r\n');
    expect(oldest).toContain(placed[0]);
    await page.reload();
    await first(placed[0]);
  });

  test('when Arabic is chosen, then the page runs from right to left and stays so', async () => {
    const page = await browser.signedIn('viewer', '/overview');
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('button', { name: 'العربية' }).click();
    await page.getByRole('heading', { name: 'نظرة عامة' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'نظرة عامة' }).waitFor();
    await page.locator('html[dir=rtl]').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: /^الحساب/ }).click();
    await page.getByRole('button', { name: 'English' }).click();
    await page.locator('html[dir=ltr]').waitFor();
  });

  test('when an operator signs out, then the page shows the way in, going back shows nothing more, and the way in leads back', async () => {
    const page = await browser.signedIn('viewer', '/rates');
    await openPage(page, 'Orders');
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.goBack();
    await page.waitForURL(/rates/);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Navigation' }).count()).toBe(0);
    await browser.signIn(page, 'viewer');
    await page.getByRole('heading', { name: 'Rates', level: 1 }).waitFor();
  });

  test('when all of this is done, then no page threw, and none wanted what its policy forbids', () => {
    expect(browser.faults).toEqual([]);
  });
});
