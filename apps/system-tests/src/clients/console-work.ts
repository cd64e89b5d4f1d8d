import type { Locator, Page } from 'playwright-core';
import { newTopup, phoneEnding } from './bodies';
import type { TestPartner } from './operator-client';
import { expectSuccess } from './response';

/** An order whose vendor does not know what became of it; its global id. */
export async function undecidedOrder({ live }: TestPartner): Promise<string> {
  const body = newTopup({ amount: 14, phoneNumber: phoneEnding('0005') });
  return expectSuccess(await live.topup(body)).orderGlobalId;
}

/** Opens what the search of every page finds by a text, and waits for its page. */
export async function openFound(page: Page, text: string, heading: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: 'Search' }).fill(text);
  await page.getByRole('dialog').getByText(text, { exact: true }).first().click();
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
}

/** Follows a link of the navigation. */
export async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** The text of the file that a link of the page saves. */
export async function savedBy(link: Locator): Promise<string> {
  const download = link.page().waitForEvent('download');
  await link.click();
  const file = await (await download).createReadStream();
  return Buffer.concat(await file.toArray()).toString();
}

/** Presses the button that opens a decision, fills what it takes, and confirms it. */
export async function decide(
  button: Locator,
  fields: Readonly<Record<string, string>> = {},
): Promise<Locator> {
  const label = (await button.textContent()) ?? '';
  await button.click();
  const dialog = button.page().getByRole('dialog', { name: label, exact: true });
  for (const [name, value] of Object.entries(fields)) await dialog.getByLabel(name).fill(value);
  await dialog.getByRole('button', { name: label, exact: true }).click();
  return dialog;
}

/** Why a decision cannot be made here; empty where it can. */
export async function reasonOf(button: Locator): Promise<string> {
  await button.waitFor();
  const isDisabled = (await button.getAttribute('aria-disabled')) === 'true';
  return (isDisabled && (await button.getAttribute('aria-description'))) || '';
}

/** What the server says to a change that the page does not offer, made with the page's own session. */
export function changeByHand(page: Page, method: string, path: string, body: object = {}): Promise<string> {
  return page.evaluate(
    async ([verb, address, json]) => {
      const session = (await (await fetch('/auth/session')).json()) as { payload: { csrfToken: string } };
      const headers = { 'content-type': 'application/json', 'x-csrf-token': session.payload.csrfToken };
      const response = await fetch(`/ops/v1${address}`, { method: verb, headers, body: json });
      const { state, details } = (await response.json()) as { state: string; details?: { role?: string } };
      return [state, details?.role].filter(Boolean).join(' ');
    },
    [method, path, JSON.stringify(body)] as const,
  );
}
