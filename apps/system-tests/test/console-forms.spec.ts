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
