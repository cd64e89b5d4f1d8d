import type { PartnerClient } from '../clients/partner-client';
import { expectSuccess } from '../clients/response';
import type { Report } from './report';

/** What each seller's wallet begins with: more digits than a float of 32 bits holds. */
export const DEPOSIT = 1_234_567.89;

/** The products that sellers sell, with the field that says what an order costs. */
const PRODUCTS = { topup: 'amount', esim: 'amount', scent: 'totalAmountWithVat' } as const;

/** What a seller printed, "topup <reference> Completed 25.50", by its first word; a balance is there twice. */
function readSales(stdout: string): (what: string) => string[] {
  const lines = stdout.split('\n').map((line) => line.trim().split(' '));
  return (what) => lines.filter(([first]) => first === what).map(([, ...rest]) => rest.join(' '));
}

/** Compares what a seller printed with what the gateway returns to the same partner. */
export async function checkSales(
  name: string,
  stdout: string,
  partner: PartnerClient,
  report: Report,
): Promise<void> {
  const said = readSales(stdout);
  for (const [product, price] of Object.entries(PRODUCTS)) {
    const [line = 'nothing'] = said(product);
    const [reference = '', status, amount] = line.split(' ');
    const { payload } = await partner.call<Record<string, unknown> | null>(
      `/orders/${product}/reference/${encodeURIComponent(reference)}`,
    );
    report.check(`${name}: sold, ${product} ${line}`, [
      ...same(`the status of ${product}`, status, 'Completed'),
      ...same(`the status of ${product} at the gateway`, payload?.status, 'Completed'),
      ...same(`the price of ${product}`, amount, toText(payload?.[price])),
    ]);
  }
  const { availableBalance } = expectSuccess(
    await partner.call<{ availableBalance: number }>('/wallet/balance'),
  );
  const balances = said('balance');
  report.check(`${name}: the wallet to the halala, ${balances.join(', then ')}`, [
    ...same('the balance before', balances[0], toText(DEPOSIT)),
    ...same('the balance after', balances[1], toText(availableBalance)),
  ]);
  const [refused = 'nothing'] = said('refused');
  report.check(
    `${name}: a refusal is read, ${refused}`,
    same('it', refused, '422 BUSINESS_AMOUNT_OUT_OF_RANGE'),
  );
  report.check(`${name}: orders, events and webhooks are read, each in its form`, [
    ...same('orders', said('orders')[0], 'EsimOrder ScentOrder TopupOrder'),
    ...same('the event', said('event')[0], 'OrderCompletedEvent'),
    ...same('webhooks', said('webhooks')[0], '0'),
  ]);
}

const toText = (amount: unknown): string | undefined =>
  typeof amount === 'number' ? amount.toFixed(2) : undefined;

const same = (what: string, is: unknown, should: unknown): string[] =>
  is === should ? [] : [`${what} is ${String(is)}, not ${String(should)}`];
