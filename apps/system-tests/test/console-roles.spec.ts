import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import type { Page } from 'playwright-core';
import { ConsoleBrowser, missingBrowser } from '../src/clients/console-browser';
import {
  changeByHand,
  decide,
  openFound,
  openPage,
  reasonOf,
  savedBy,
  undecidedOrder,
} from '../src/clients/console-work';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import { readPlatformFile } from '../src/platform/platform-file';
import { withSuperuser } from '../src/seed/with-superuser';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();
const refusedFor = (role: string) => `FORBIDDEN_OPERATOR_ROLE ${role}`;
const needs = (role: string) => `It needs the role ${role}.`;

describeWith(missingBrowser, 'a day of each role in the console (spec §18.2)', () => {
  let browser: ConsoleBrowser;
  let partner: TestPartner;
  let name: string;

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(platform);
    partner = await operator.newPartner({ deposit: 1_000 });
    ({ name } = await operator.get<{ name: string }>(`/partners/${partner.id}`));
  });
  afterEach(() => browser.closePages());
  afterAll(() => browser.stop());

  const credit = () => ({
    environment: 'live',
    amount: 10,
    notes: 'By hand.',
    idempotencyKey: `by-hand-${partner.id}`,
  });

  test('when a viewer follows an order from what waits to its money and its audit, then all of it is there, and nothing can be changed', async () => {
    const orderGlobalId = await undecidedOrder(partner);
    const page = await browser.signedIn('viewer', '/overview');
    await page.getByRole('link', { name: /^Orders: [1-9]/ }).click();
    await page.getByRole('link', { name: orderGlobalId }).click();
    await page.getByText('vendor.submit', { exact: true }).waitFor();
    expect(await reasonOf(button(page, 'Resolve as failed'))).toBe(needs('support'));
    await page.getByRole('link', { name }).first().click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByText('986.00 SAR').first().waitFor();
    expect(await reasonOf(button(page, 'Credit'))).toBe(needs('finance'));
    expect(await reasonOf(button(page, 'Freeze'))).toBe(needs('partners'));
    await page.getByRole('link', { name: 'Audit' }).last().click();
    await page
      .getByRole('row', { name: /wallet\.credit/ })
      .first()
      .waitFor();
    expect(await savedBy(page.getByRole('link', { name: 'Export CSV' }))).toMatch(/,wallet\.credit,/);
    await openPage(page, 'Operator tokens');
    await page.getByRole('alert').getByText('Your roles do not allow it.').waitFor();
    const resolved = changeByHand(page, 'POST', `/orders/${orderGlobalId}/resolve`, {
      outcome: 'Failed',
      notes: 'By hand.',
    });
    expect(await resolved).toBe(refusedFor('support'));
  });

  test('when support decides what waits and has the records compared, then both are done, and no wallet can be credited', async () => {
    const orderGlobalId = await undecidedOrder(partner);
    const page = await browser.signedIn('support', '/overview');
    await page.getByRole('link', { name: /^Orders: [1-9]/ }).click();
    await page.getByRole('link', { name: orderGlobalId }).click();
    await decide(button(page, 'Resolve as completed'), { Why: 'The vendor has it.' });
    await page.getByText(`${orderGlobalId} is now Completed.`).waitFor();
    await openPage(page, 'Reconciliation');
    const since: (string | null)[] = [];
    await page.route('**/reconciliation/run*', async (route) => {
      since.push(new URL(route.request().url()).searchParams.get('since'));
      const response = await route.fetch();
      const { payload, ...rest } = (await response.json()) as { payload: object };
      // As on a history that takes two runs.
      await route.fulfill({
        response,
        json: { ...rest, payload: { ...payload, isComplete: since.length > 1 } },
      });
    });
    await decide(button(page, 'Compare everything now'));
    await page.getByText(/^\d+ open differences\.$/).waitFor();
    expect(since).toEqual([null, expect.stringMatching(/^20\d\d-.*Z$/)]);
    await openFound(page, partner.globalId, name);
    expect(await reasonOf(button(page, 'Credit'))).toBe(needs('finance'));
    expect(await changeByHand(page, 'POST', `/partners/${partner.id}/wallet/credit`, credit())).toBe(
      refusedFor('finance'),
    );
  });

  test('when support accepts a difference between records, then it is open no more, until its figures change', async () => {
    let added = 0;
    const hold = async (more: number): Promise<void> => {
      const sql = `UPDATE wallets SET held = held + $2 WHERE partner_id = $1 AND environment = 'live'`;
      await withSuperuser(platform.databases.finance, (finance) => finance.query(sql, [partner.id, more]));
      added += more;
    };
    const page = await browser.signedIn('support', '/reconciliation?service=finance&state=Open');
    const row = page.getByRole('row', { name: /wallets.*held/ });
    const compare = () => decide(button(page, 'Compare everything now'));
    try {
      await hold(5);
      await compare();
      const dialog = await decide(row.getByRole('button', { name: 'Accept as it is' }), {
        Why: 'Restored from a backup, ticket 4711.',
      });
      await dialog.waitFor({ state: 'detached' });
      await row.waitFor({ state: 'detached' });
      await page.getByLabel('State').selectOption('Accepted');
      await row.getByText('ticket 4711').waitFor();
      await row.getByRole('button', { name: 'Open again' }).waitFor();
      await hold(1);
      await compare();
      await page.getByLabel('State').selectOption('Open');
      await row.getByRole('button', { name: 'Accept as it is' }).waitFor();
    } finally {
      await hold(-added);
    }
    await compare();
    await row.waitFor({ state: 'detached' });
    await openPage(page, 'Audit');
    await page
      .getByRole('row', { name: /reconciliation\.accept/ })
      .first()
      .waitFor();
  });

  test('when finance credits a wallet, limits what is spent and makes a statement, then each is there, and no order can be decided', async () => {
    const orderGlobalId = await undecidedOrder(partner);
    const page = await browser.signedIn('finance', '/overview');
    await openFound(page, partner.globalId, name);
    await decide(button(page, 'Credit'), { 'Amount, SAR': '250', Why: 'A deposit.' });
    await page.getByText(/^Done; the balance is /).waitFor();
    await page.getByRole('tab', { name: 'Limits' }).click();
    await decide(button(page, 'Set limits'), { 'Most for a day, SAR': '5000' });
    await page.getByText('5,000.00 SAR (by an operator)').waitFor();
    await page.getByRole('link', { name: 'Its statements' }).click();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 16);
    const made = { From: '2026-01-01T00:00', 'Until (exclusive)': yesterday };
    await decide(button(page, 'Make a statement'), made);
    await button(page, 'Show the PDF').click();
    await page.locator('iframe.pdf').waitFor();
    await openFound(page, orderGlobalId, 'Order');
    expect(await reasonOf(button(page, 'Resolve as completed'))).toBe(needs('support'));
    const resolved = changeByHand(page, 'POST', `/orders/${orderGlobalId}/resolve`, {
      outcome: 'Completed',
      notes: 'By hand.',
    });
    expect(await resolved).toBe(refusedFor('support'));
  });

  test('when the catalog’s keeper adds stock, changes a price and gives a partner its own, then each is there, and no rate can be set', async () => {
    const page = await browser.signedIn('catalog', '/overview');
    await openPage(page, 'Catalog');
    const sku = page.locator('tbody').getByRole('link').last();
    const address = (await sku.getAttribute('href')) ?? '';
    await sku.click();
    await page.getByRole('heading', { name: 'Stock' }).waitFor();
    await decide(button(page, 'Add or take away'), { Units: '3' });
    await page.getByText(/^\d+ on hand now\.$/).waitFor();
    await decide(button(page, 'Change prices'));
    await page.getByText('The prices are changed.').waitFor();
    await button(page, 'Set a partner’s price').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Partner').first().fill(partner.globalId);
    await page.getByRole('option', { name: new RegExp(partner.globalId) }).click();
    await dialog.getByLabel('List price').fill('77');
    await dialog.getByRole('button', { name: 'Set a partner’s price' }).click();
    await page.getByRole('row', { name: /77\.00 SAR/ }).waitFor();
    await openPage(page, 'Rates');
    expect(await reasonOf(button(page, 'Set a rate'))).toBe(needs('finance'));
    expect(await changeByHand(page, 'PUT', '/rates/CHF', { rate: 0.2 })).toBe(refusedFor('finance'));
    expect(address).toContain('/catalog/');
  });

  test('when the partners’ keeper makes a credential, takes it back and freezes the partner, then each holds, and no money can be moved', async () => {
    const page = await browser.signedIn('partners', '/partners');
    await openFound(page, partner.globalId, name);
    await page.getByRole('tab', { name: 'Credentials' }).click();
    await decide(button(page, 'Make a credential'), { Networks: '203.0.113.0/24' });
    await button(page, 'I have stored it').click();
    await decide(page.getByRole('row', { name: /203\.0\.113\.0/ }).getByRole('button', { name: 'Revoke' }));
    await page.getByText(/ is revoked\.$/).waitFor();
    await decide(button(page, 'Freeze'));
    await page.getByText(`${name} is frozen.`).waitFor();
    // The page may have read the change before the response to it comes.
    await page.route('**/unfreeze', async (route) => {
      const response = await route.fetch();
      await page.getByRole('button', { name: 'Freeze', exact: true }).waitFor();
      await route.fulfill({ response });
    });
    await decide(button(page, 'Unfreeze'));
    await page.getByText(`${name} is no longer frozen.`).waitFor();
    await page.getByRole('tab', { name: 'Wallet' }).click();
    expect(await reasonOf(button(page, 'Adjust'))).toBe(needs('finance'));
    expect(await changeByHand(page, 'POST', `/partners/${partner.id}/wallet/adjust`, credit())).toBe(
      refusedFor('finance'),
    );
  });

  test('when an admin makes a token for a program and revokes it, then it works until then; of all that others may not do nothing is grey', async () => {
    const page = await browser.signedIn('admin', '/operator-tokens');
    const program = `nightly ${partner.globalId}`;
    await decide(button(page, 'Make a token'), { Name: program });
    const copy = page.getByRole('dialog').getByRole('button', { name: /^Copy op_/ });
    const authorization = `Bearer ${await copy.textContent()}`;
    await button(page, 'I have stored it').click();
    const statusOf = async (): Promise<number> =>
      (await operator.call('/orders?pageSize=1', { headers: { authorization } })).status;
    expect(await statusOf()).toBe(200);
    await decide(page.getByRole('row', { name: program }).getByRole('button', { name: 'Revoke' }));
    await page.getByText(`${program} is revoked.`).waitFor();
    await eventually(async () => expect(await statusOf()).toBe(401));
    await openFound(page, partner.globalId, name);
    for (const label of ['Credit', 'Freeze']) expect(await reasonOf(button(page, label))).toBe('');
    await openFound(page, await undecidedOrder(partner), 'Order');
    expect(await reasonOf(button(page, 'Resolve as failed'))).toBe('');
  });

  test('when all of this is done, then no page threw, and none wanted what its policy forbids', () => {
    expect(browser.faults).toEqual([]);
  });
});
