import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeWith } from '@reseller/testing/jest';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { attack } from '../../src/attack/run-attack';
import { newTopup } from '../../src/clients/bodies';
import { barriersOf, ConsoleBrowser, missingBrowser } from '../../src/clients/console-browser';
import { OperatorBrowser } from '../../src/clients/operator-browser';
import { OperatorClient, type TestPartner } from '../../src/clients/operator-client';
import type { Page } from '../../src/clients/resources';
import { expectSuccess, type ApiResponse } from '../../src/clients/response';
import { startPlatform, type StartedPlatform } from '../../src/platform/start-platform';

interface Approval {
  readonly id: string;
  readonly status: string;
  readonly action: string;
  readonly amount: number;
  readonly partnerName: string;
  readonly requestedBy: string;
  readonly decidedBy: string | null;
}

const LIMIT = 100;

let platform: StartedPlatform;
let admin: OperatorClient;
let partner: TestPartner;
beforeAll(async () => {
  platform = await startPlatform({ FOUR_EYES_ABOVE_SAR: String(LIMIT), PLATFORM_TLS: 'true' });
  process.env.PLATFORM_JSON = platform.file;
  admin = new OperatorClient(platform.description);
  partner = await admin.newPartner({ deposit: LIMIT });
}, 180_000);
afterAll(() => platform.stop());

async function signedIn(role: string): Promise<OperatorBrowser> {
  const operator = platform.description.operators.find((one) => one.role === role);
  const browser = new OperatorBrowser(platform.description.backofficeUrl);
  await browser.signIn(operator?.username ?? '', operator?.password ?? '');
  return browser;
}

const creditOf = (amount: number, idempotencyKey: string = randomUUID()) => ({
  environment: 'live',
  amount,
  notes: 'a large deposit',
  idempotencyKey,
});
const credit = (body: object): Promise<ApiResponse<unknown>> =>
  admin.call(`/partners/${partner.id}/wallet/credit`, { body });
const approvalOf = ({ status, state, details }: ApiResponse<unknown>): string => {
  expect([status, state]).toEqual([409, 'CONFLICT_APPROVAL_REQUIRED']);
  return (details as { approvalId: string }).approvalId;
};
const balance = async (): Promise<number> => (await partner.live.balance()).currentBalance;

describe('four eyes (spec §18.3)', () => {
  test('when a large credit is requested, then nothing moves until another operator of the role approves, once', async () => {
    const before = await balance();
    const body = creditOf(LIMIT + 0.01);
    const id = approvalOf(await credit(body));
    expect(approvalOf(await credit(body))).toBe(id);
    expect(await balance()).toBe(before);
    expect(await admin.get<Approval>(`/approvals/${id}`)).toMatchObject({
      ...{ id, status: 'Pending', action: 'wallet.credit', amount: LIMIT + 0.01, decidedBy: null },
    });
    const own = await admin.call(`/approvals/${id}/approve`, { method: 'POST' });
    expect([own.status, own.state]).toEqual([403, 'FORBIDDEN_OWN_APPROVAL']);
    const support = await signedIn('support');
    const path = `/ops/v1/approvals/${id}/approve`;
    expect((await support.change(path, { method: 'POST' })).state).toBe('FORBIDDEN_OPERATOR_ROLE');

    const finance = await signedIn('finance');
    const approved = expectSuccess(await finance.change<Approval>(path, { method: 'POST' }));
    expect(approved).toMatchObject({ status: 'Approved', decidedBy: 'Local finance' });
    expect((await finance.change(path, { method: 'POST' })).state).toBe('CONFLICT_APPROVAL_DECIDED');
    expect(await balance()).toBe(before + LIMIT + 0.01);
    expectSuccess(await credit(body));
    expect(await balance()).toBe(before + LIMIT + 0.01);
    const { items } = await admin.get<Page<Record<string, unknown>>>(
      `/partners/${partner.id}/wallet/transactions?environment=live`,
    );
    expect(items[0]).toMatchObject({ amount: LIMIT + 0.01, approvedBy: 'Local finance' });
  });

  test('when it is rejected, then nothing moved and the key is free', async () => {
    const before = await balance();
    const body = creditOf(LIMIT * 2);
    const id = approvalOf(await credit(body));
    const other = await credit({ ...body, amount: LIMIT * 3 });
    expect([other.status, other.state]).toEqual([409, 'CONFLICT_IDEMPOTENCY_KEY_REUSED']);
    const finance = await signedIn('finance');
    const path = `/ops/v1/approvals/${id}/reject`;
    expect(expectSuccess(await finance.change<Approval>(path, { method: 'POST' })).status).toBe('Rejected');
    expect(await balance()).toBe(before);
    expect(approvalOf(await credit(body))).not.toBe(id);
  });

  test('when a large order is reversed, then another operator of support starts it, and it is refunded once', async () => {
    const finance = await signedIn('finance');
    const deposit = approvalOf(await credit(creditOf(1_000)));
    await finance.change(`/ops/v1/approvals/${deposit}/approve`, { method: 'POST' });
    const order = expectSuccess(await partner.live.topup(newTopup({ amount: LIMIT + 1 })));
    expect(order.status).toBe('Completed');
    const charged = await balance();
    const reverse = () =>
      admin.call(`/orders/${order.orderGlobalId}/reverse`, { body: { notes: 'Complaint' } });
    const id = approvalOf(await reverse());
    expect(approvalOf(await reverse())).toBe(id);
    const path = `/ops/v1/approvals/${id}/approve`;
    expect((await finance.change(path, { method: 'POST' })).state).toBe('FORBIDDEN_OPERATOR_ROLE');
    const support = await signedIn('support');
    expectSuccess(await support.change(path, { method: 'POST' }));
    const { status } = expectSuccess(
      await partner.live.call<{ status: string }>(`/orders/topup/${order.orderId}`),
    );
    expect(status).toBe('Reversed');
    expect(await balance()).toBe(charged + LIMIT + 1);
  });

  test('when the same is done in the sandbox or at the limit, then it needs nobody', async () => {
    expectSuccess(await credit({ ...creditOf(LIMIT * 5), environment: 'sandbox' }));
    expectSuccess(await credit(creditOf(LIMIT)));
  });
});

describeWith(missingBrowser, 'four eyes in the console (spec §18.9)', () => {
  test('when an operator credits much, then the console says who has to look, not he himself, and another one carries it out', async () => {
    const amount = String(LIMIT + 50);
    const before = await balance();
    const browser = await ConsoleBrowser.start(platform.description);
    try {
      const first = await browser.signedIn('finance', `/partners/${partner.id}?environment=live`);
      await first.getByRole('tab', { name: 'Wallet' }).click();
      await first.getByRole('button', { name: 'Credit' }).click();
      const credit = first.getByRole('dialog', { name: 'Credit' });
      await credit.getByLabel('Amount, SAR').fill(amount);
      await credit.getByLabel('Why').fill('A large deposit in the console.');
      await credit.getByRole('button', { name: 'Credit' }).click();
      await credit.getByRole('alert').getByText('The amount needs a second operator').waitFor();
      expect(await balance()).toBe(before);
      // The next movement is another one, with a key of its own.
      await credit.getByLabel('Amount, SAR').fill(String(LIMIT));
      await credit.getByRole('button', { name: 'Credit' }).click();
      await first.getByText('Done; the balance is').waitFor();
      expect(await balance()).toBe(before + LIMIT);
      await first.goto(`${platform.description.backofficeUrl}/console/approvals?status=Pending`);
      const own = first.getByRole('row', { name: /A large deposit in the console/ });
      await own.getByRole('button', { name: 'Approve' }).focus();
      await first
        .getByRole('tooltip')
        .getByText(/You requested it yourself/)
        .waitFor();
      const second = await browser.signedIn('admin', '/approvals?status=Pending');
      const row = second.getByRole('row', { name: /A large deposit in the console/ });
      await row.getByRole('button', { name: 'Approve' }).click();
      await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
      await second.getByText('Approved and carried out.').waitFor();
      expect(await barriersOf(second)).toEqual([]);
      expect(await balance()).toBe(before + LIMIT + Number(amount));
      // The first one sees it without a reload.
      await own.waitFor({ state: 'detached' });
    } finally {
      await browser.stop();
    }
  });
});

// What it sends of bad tokens would have the others refused.
test('when roles, sessions, tokens, certificates and database roles are attacked, then all of it holds (spec §18.1, §18.2)', async () => {
  const lines = await attack(platform.description, path.dirname(platform.file));
  expect(lines.filter(({ isKept }) => !isKept)).toEqual([]);
}, 300_000);
