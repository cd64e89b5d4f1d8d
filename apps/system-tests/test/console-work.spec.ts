import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { newTopup } from '../src/clients/bodies';
import { barriersOf, ConsoleBrowser, missingBrowser } from '../src/clients/console-browser';
import { OperatorClient } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import { expectSuccess } from '../src/clients/response';
import { newScentOrder, type ScentOrder } from '../src/clients/scents';
import { readPlatformFile } from '../src/platform/platform-file';
import { withSuperuser } from '../src/seed/with-superuser';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);
const idOf = (address: string): string => new URL(address).searchParams.get('partnerId') ?? '';

describeWith(missingBrowser, 'operators at work in the console (spec §18.9)', () => {
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(platform);
  });
  afterEach(() => browser.closePages());
  afterAll(() => browser.stop());

  test('when a partner is taken on, then the flow leads from its name to its first sandbox order', async () => {
    const page = await browser.signedIn('admin', '/partners');
    await page.getByRole('link', { name: 'New partner' }).click();
    const name = `مؤسسة ${randomUUID().slice(0, 8)}`;
    // Exact, as the page before has a field to find partners by their name.
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByLabel('Language of statements').selectOption('ar');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL(/partnerId=/);
    await page.getByRole('button', { name: 'Make a credential' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a credential' }).click();
    const shown = page.getByRole('dialog', { name: 'The credential is made.' });
    const copies = shown.getByRole('button', { name: /^Copy / });
    const clientId = (await copies.first().textContent()) ?? '';
    const clientSecret = (await copies.nth(1).textContent()) ?? '';
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Open a wallet' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Open a wallet' }).click();
    await page.getByRole('button', { name: 'Credit' }).click();
    const credit = page.getByRole('dialog', { name: 'Credit' });
    await credit.getByLabel('Amount, SAR').fill('100');
    await credit.getByLabel('Why').fill('Play money');
    await credit.getByRole('button', { name: 'Credit' }).click();
    await page.getByText('Waiting for the first order').waitFor();
    const commands = ((await page.getByRole('main').locator('pre').textContent()) ?? '')
      .replace("https://<the API's address>", platform.gatewayUrl)
      .replace('<client id>', clientId)
      .replace('<client secret>', clientSecret);
    const { stdout } = await promisify(execFile)('bash', ['-c', commands]);
    const { orderGlobalId } = (JSON.parse(stdout) as { payload: { orderGlobalId: string } }).payload;
    await page.getByText(`${orderGlobalId} is there`).waitFor();
    const partner = await operator.get<object>(`/partners/${idOf(page.url())}`);
    expect(partner).toMatchObject({ name, language: 'ar' });
    await page.getByRole('link', { name: /^To its page/ }).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByText('90.00 SAR').first().waitFor();
    expect(await barriersOf(page)).toEqual([]);
  });

  test('when an event was dead-lettered and its service can handle it now, then it is found from the overview and redriven', async () => {
    const partner = await operator.newPartner({ deposit: 100 });
    const { orderId } = expectSuccess(await partner.live.topup(newTopup({ amount: 10 })));
    await deadLetter(orderId);
    const page = await browser.signedIn('support', '/overview');
    await page.getByRole('link', { name: /^Dead letters: [1-9]/ }).click();
    await page.getByRole('heading', { name: 'Dead letters' }).waitFor();
    await page
      .getByRole('row', { name: /notifier.*OrderCompleted/ })
      .getByRole('button', { name: 'Explain' })
      .click();
    await page.getByRole('dialog').getByText('What to do').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page
      .getByRole('row', { name: /notifier.*OrderCompleted/ })
      .getByRole('button', { name: 'Redrive' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redrive' }).click();
    await page.getByText('It is redriven.').waitFor();
    await page.getByText('Nothing fits these filters.').waitFor();
    const { items } = await operator.get<{ items: { aggregateId: string; state: string }[] }>(
      '/dead-letters?service=notifier&state=Redriven',
    );
    expect(items.map(({ aggregateId }) => aggregateId)).toContain(orderId);
  });

  test('when several groups wait in the warehouses, then support ships them at once, sees what came of each, and delivers them', async () => {
    const { sandbox } = await operator.newPartner({ deposit: 5_000 });
    const orders = [await buyScent(sandbox), await buyScent(sandbox), await buyScent(sandbox)];
    const groups = orders.flatMap(({ fulfillmentGroups }) => fulfillmentGroups.map(({ id }) => id));
    const orderGlobalId = orders[0]?.orderGlobalId ?? '';
    const page = await browser.signedIn('support', `/orders/${orderGlobalId}?environment=sandbox`);
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.getByRole('link', { name: 'Fulfillment' }).click();
    await page.getByLabel('Status').selectOption('Pending');
    const choose = async (): Promise<void> => {
      for (const id of groups) await page.getByRole('checkbox', { name: `Select ${id}` }).check();
    };
    await choose();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Ship', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Ship' });
    await dialog.getByText('No money moves').waitFor();
    await dialog.getByRole('button', { name: 'Ship' }).click();
    await dialog.getByText(`${groups.length} done, 0 refused`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Status').selectOption('Shipped');
    // An order that was looked at before is read anew.
    await page.getByRole('link', { name: orderGlobalId }).click();
    await page.getByRole('main').getByText('Shipped', { exact: true }).first().waitFor();
    await page.goBack();
    await choose();
    await page.getByRole('button', { name: 'Deliver', exact: true }).click();
    const delivering = page.getByRole('dialog', { name: 'Deliver' });
    await delivering.getByRole('button', { name: 'Deliver' }).click();
    await delivering.getByText(`${groups.length} done, 0 refused`).waitFor();
    const statuses = (await sandbox.all<ScentOrder>('/orders/scent')).map(({ status }) => status);
    expect(statuses).toEqual(['Completed', 'Completed', 'Completed']);
  });

  test('when a customer wants to give something back, then support reads what it does to the money and approves it', async () => {
    const partner = await operator.newPartner({ deposit: 100_000 });
    const requestId = await requestReturn(partner.sandbox);
    const before = await partner.sandbox.balance();
    const page = await browser.signedIn('support', '/returns?status=Pending');
    const row = page.getByRole('row').filter({ has: page.getByText(await orderOf(requestId)) });
    expect(await barriersOf(page)).toEqual([]);
    await row.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByText('do not go back to stock by themselves').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved and refunded.').waitFor();
    await eventually(async () => {
      const { items } = await operator.get<{ items: { id: string; status: string }[] }>('/return-requests');
      expect(items.find(({ id }) => id === requestId)?.status).toBe('Approved');
      const now = await partner.sandbox.balance();
      expect(now.currentBalance).toBeGreaterThan(before.currentBalance);
    });
  });

  test('when each page is opened by each of its addresses, then it is there, and nothing keeps people out of it', async () => {
    const page = await browser.signedIn('viewer', '/overview');
    const links = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link');
    const names = (await links.allTextContents()).map((name) => name.trim());
    expect(names).toEqual(
      expect.arrayContaining([
        ...[
          'Overview',
          'Orders',
          'Partners',
          'Fulfillment',
          'Returns',
          'Webhook deliveries',
          'Catalog',
          'Rates',
        ],
        ...['Statements', 'Reconciliation', 'Approvals', 'Audit', 'Operator tokens'],
      ]),
    );
    for (const name of names) {
      await links.filter({ hasText: name }).first().click();
      await page.getByRole('heading', { name, level: 1 }).or(page.getByRole('alert')).first().waitFor();
      expect([name, await barriersOf(page)]).toEqual([name, []]);
    }
  });

  test('when all of this is done, then no page threw, and none wanted what its policy forbids', () => {
    expect(browser.faults).toEqual([]);
  });
});

/** The order's event, as a notifier that could not handle it yet has put it aside. */
async function deadLetter(orderId: string): Promise<void> {
  const event = await eventually(() =>
    withSuperuser(platform.databases['orders-saga'], async (orders) => {
      const { rows } = await orders.query<Record<string, unknown>>(
        `SELECT topic, type, aggregate_id, aggregate_seq, occurred_at, payload, headers FROM outbox
         WHERE aggregate_id = $1 AND type LIKE '%OrderCompleted'`,
        [orderId],
      );
      if (!rows[0]) throw new Error('the order has no event yet');
      return rows[0];
    }),
  );
  await withSuperuser(platform.databases['notifier'], (notifier) =>
    notifier.query(
      `INSERT INTO dead_letters (consumer, event_id, topic, type, aggregate_id, aggregate_seq, occurred_at, payload, headers,
         reason, message, detail, attempts)
       VALUES ('notifier.webhooks', $1, $2, $3, $4, $5, $6, $7, $8, 'RuleBroken', 'a rule of an earlier version', 'RuleBroken', 1)`,
      [randomUUID(), ...Object.values(event)],
    ),
  );
}

/** Which order a return is of. */
async function orderOf(requestId: string): Promise<string> {
  const { items } = await operator.get<{ items: { id: string; orderGlobalId: string }[] }>(
    '/return-requests',
  );
  return items.find(({ id }) => id === requestId)?.orderGlobalId ?? '';
}

const post = async <T>(sandbox: PartnerClient, path: string, body: object = {}): Promise<T> =>
  expectSuccess(await sandbox.call<T>(path, { method: 'POST', body }));

/** A paid order of one bottle. */
async function buyScent(sandbox: PartnerClient): Promise<ScentOrder> {
  const variants = await sandbox.call<{ items: { id: string }[] }>('/scent/variants?availability=Available');
  await post(sandbox, '/scent/cart/items', { variantId: expectSuccess(variants).items[0]?.id, quantity: 1 });
  return post<ScentOrder>(sandbox, '/orders/scent', newScentOrder());
}

/** A return that waits for a decision, of an order that was delivered. */
async function requestReturn(sandbox: PartnerClient): Promise<string> {
  const paid = await buyScent(sandbox);
  const [bought] = paid.lines;
  const group = `/sandbox/fulfillment-groups/${bought?.fulfillmentGroupId}`;
  await post(sandbox, `${group}/ship`);
  await post(sandbox, `${group}/deliver`);
  const lines = [{ scentOrderLineId: bought?.id, quantity: 1, reasonCode: 'Damaged' }];
  const requested = await post<{ id: string }>(sandbox, `/scent/orders/${paid.id}/return-request`, {
    fulfillmentGroupId: bought?.fulfillmentGroupId,
    lines,
  });
  return requested.id;
}
