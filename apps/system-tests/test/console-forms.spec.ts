import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '@reseller/testing/jest';
import { ConsoleBrowser, missingBrowser } from '../src/clients/console-browser';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import { readPlatformFile } from '../src/platform/platform-file';

interface StockedVariant {
  readonly id: string;
  readonly stock: readonly { readonly environment: string; readonly stockOnHand: number }[];
}

const platform = readPlatformFile();
const operator = new OperatorClient(platform);

const setLimit = (id: string, environment: string, maxOrderAmount: number): Promise<object> =>
  operator.call(`/partners/${id}/limits`, { method: 'PUT', body: { environment, maxOrderAmount } });

describeWith(missingBrowser, 'the forms of the console (spec §18.9)', () => {
  let browser: ConsoleBrowser;
  let above: TestPartner;
  let below: TestPartner;

  beforeAll(async () => {
    browser = await ConsoleBrowser.start(platform);
    above = await operator.newPartner({ settings: { displayCurrency: 'USD' } });
    below = await operator.newPartner({ settings: { parentPartnerId: above.id, displayCurrency: 'EUR' } });
  });
  afterEach(() => browser.closePages());
  afterAll(() => browser.stop());

  test('when a partner is gone to from the one below it, then the form of a change has its own values', async () => {
    const page = await browser.signedIn('partners', `/partners/${below.id}`);
    await page.getByText('EUR', { exact: true }).waitFor();
    await page.getByRole('main').locator(`a[href*="${above.id}"]`).click();
    await page.getByText('USD', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    expect(await page.getByRole('dialog').getByLabel('Display currency').inputValue()).toBe('USD');
  });

  test('when another operator has changed a partner meanwhile, then the form of a change has what is there now', async () => {
    const page = await browser.signedIn('partners', `/partners/${below.id}`);
    await page.getByText('EUR', { exact: true }).waitFor();
    await operator.call(`/partners/${below.id}`, { method: 'PATCH', body: { displayCurrency: 'GBP' } });
    await page.getByText('GBP', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    expect(await page.getByRole('dialog').getByLabel('Display currency').inputValue()).toBe('GBP');
  });

  test('when the other world is chosen, then the form of limits has the limits of this one', async () => {
    await setLimit(below.id, 'sandbox', 111);
    await setLimit(below.id, 'live', 222);
    const page = await browser.signedIn('finance', `/partners/${below.id}?environment=sandbox&tab=limits`);
    await page.getByText('111.00 SAR').waitFor();
    await page.getByText('Live', { exact: true }).click();
    await page.getByText('222.00 SAR').waitFor();
    await page.getByRole('button', { name: 'Set limits' }).click();
    expect(await page.getByRole('dialog').getByLabel('Most for one order').inputValue()).toBe('222');
  });

  test('when the response to a credit is lost, then the same again is that one, and other values are another credit', async () => {
    const { id } = await operator.newPartner({ deposit: 0 });
    const balance = async (): Promise<number> =>
      (await operator.get<{ currentBalance: number }>(`/partners/${id}/wallet?environment=sandbox`))
        .currentBalance;
    const page = await browser.signedIn('finance', `/partners/${id}?environment=sandbox&tab=wallet`);
    const dialog = page.getByRole('dialog');
    const lose = () =>
      page.route(
        '**/wallet/credit',
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
    const fill = async (amount: string): Promise<void> => {
      await page.getByRole('button', { name: 'Credit', exact: true }).click();
      await dialog.getByLabel('Amount, SAR').fill(amount);
      await dialog.getByLabel('Why').fill('Deposit');
    };
    const send = () => dialog.getByRole('button', { name: 'Credit', exact: true }).click();

    await fill('10');
    await lose();
    await send();
    await dialog.getByRole('alert').waitFor();
    await send();
    await page.getByText('Done; the balance is 10.00 SAR.').waitFor();

    await fill('20');
    await lose();
    await send();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Amount, SAR').fill('30');
    await send();
    // It says that the first is done; the next try is a movement of its own.
    await dialog.getByText('CONFLICT_IDEMPOTENCY_KEY_REUSED').waitFor();
    expect(await balance()).toBe(30);
    await dialog.getByLabel('Amount, SAR').fill('30');
    await send();
    await page.getByText('Done; the balance is 60.00 SAR.').waitFor();
    expect(await balance()).toBe(60);
  });

  test('when stock changes while it is counted, then the dialog stays open, and nothing is set', async () => {
    const { items } = await operator.get<{ items: StockedVariant[] }>('/variants?availability=Available');
    const variantId = items.at(-1)?.id ?? '';
    const onHand = async (): Promise<number> => {
      const { stock } = await operator.get<StockedVariant>(`/variants/${variantId}`);
      return stock.find(({ environment }) => environment === 'sandbox')?.stockOnHand ?? NaN;
    };
    const before = await onHand();
    const page = await browser.signedIn('catalog', `/catalog/${variantId}`);
    const row = page.getByRole('row', { name: /Sandbox/ });
    await row.getByRole('button', { name: 'Set what was counted' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Units counted').fill('5');
    await operator.call(`/variants/${variantId}/stock`, { body: { delta: 1, environment: 'sandbox' } });
    // What lies behind the dialog shows it.
    await page.locator('td', { hasText: new RegExp(`^${(before + 1).toLocaleString('en-GB')}$`) }).waitFor();
    await dialog.getByRole('button', { name: 'Set what was counted' }).click();
    await dialog.getByText('CONFLICT_STOCK_CHANGED').waitFor();
    expect(await onHand()).toBe(before + 1);
  });

  test('when all of this is done, then no page threw, and none wanted what its policy forbids', () => {
    expect(browser.faults).toEqual([]);
  });
});
