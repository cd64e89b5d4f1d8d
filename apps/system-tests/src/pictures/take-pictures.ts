import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { say } from '../bench/measure';
import { newEsim, newTopup, phoneEnding } from '../clients/bodies';
import { ConsoleBrowser, missingBrowser } from '../clients/console-browser';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { expectSuccess } from '../clients/response';
import { startPlatform } from '../platform/start-platform';

const FOLDER = 'docs/operators/pictures';
const FROM = '2026-01-01T00:00:00.000Z';

/** Makes the pictures of docs/operators anew, each of a page of the console on a platform of its own that has a little of everything. */
export async function takePictures(): Promise<void> {
  if (missingBrowser) throw new Error(missingBrowser);
  const platform = await startPlatform();
  const browser = await ConsoleBrowser.start(platform.description);
  try {
    mkdirSync(FOLDER, { recursive: true });
    const operator = new OperatorClient(platform.description);
    const partner = await operator.newPartner({ deposit: 500, settings: { language: 'ar' } });
    const orderGlobalId = await sell(partner);
    await makeStatement(operator, partner.id);
    const [variant] = (await operator.get<{ items: { id: string }[] }>('/variants?pageSize=1')).items;
    const page = await browser.signedIn('admin', '/overview');
    await page.setViewportSize({ width: 1280, height: 800 });
    const ofPartner = `/partners/${partner.id}?environment=live`;
    const pages: Readonly<Record<string, string>> = {
      overview: '/overview?environment=live&hours=1',
      orders: '/orders?environment=live',
      order: `/orders/${orderGlobalId}?environment=live`,
      partners: '/partners',
      partner: ofPartner,
      credentials: `${ofPartner}&tab=credentials`,
      onboarding: '/onboarding',
      returns: '/returns',
      deliveries: '/webhook-deliveries',
      'dead-letters': '/dead-letters',
      catalog: '/catalog',
      variant: `/catalog/${variant?.id}`,
      rates: '/rates',
      statements: `/statements?environment=live&partnerId=${partner.id}`,
      reconciliation: '/reconciliation',
      approvals: '/approvals',
      audit: '/audit',
      'operator-tokens': '/operator-tokens',
    };
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(`${platform.description.backofficeUrl}/console${address}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const file = path.join(FOLDER, `${name}.png`);
      await page.screenshot({ path: file });
      say(file);
    }
  } finally {
    await browser.stop();
    await platform.stop();
  }
}

/** Some orders, of which the last one's vendor does not know what became of it. */
async function sell({ live }: TestPartner): Promise<string> {
  for (let count = 0; count < 5; count += 1)
    expectSuccess(await live.topup(newTopup({ amount: 10 + count })));
  expectSuccess(await live.esim(newEsim()));
  const undecided = newTopup({ amount: 14, phoneNumber: phoneEnding('0005') });
  return expectSuccess(await live.topup(undecided)).orderGlobalId;
}

const makeStatement = (operator: OperatorClient, partnerId: string): Promise<object> =>
  operator.post('/statements', {
    partnerId,
    environment: 'live',
    periodFrom: FROM,
    periodTo: new Date().toISOString(),
  });
