import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectSuccess, send } from '../src/clients/response';
import { OperatorClient } from '../src/clients/operator-client';
import type { TestPartner } from '../src/clients/operator-client';
import type { EsimOrder, Page, Partner, TopupOrder, Transaction } from '../src/clients/resources';
import { emailTagged, newEsim, newTopup, phoneEnding } from '../src/clients/bodies';
import { readPlatformFile } from '../src/platform/platform-file';

const platform = readPlatformFile();
const operator = new OperatorClient(platform);
const stateOf = async (path: string, body: object): Promise<[number, string]> => {
  const { status, state } = await operator.call(path, { body });
  return [status, state];
};

describe('partners and credentials (spec §2.4, §2.6)', () => {
  test('when a partner is created and changed, then reads show it as it is', async () => {
    const name = `Test ${randomUUID()}`;
    const partner = await operator.createPartner({ name, displayCurrency: 'EUR', commissionRate: 0.1 });
    expect(await operator.get<Partner>(`/partners/${partner.id}`)).toMatchObject({
      name,
      displayCurrency: 'EUR',
    });
    await operator.patch(`/partners/${partner.id}`, { displayCurrency: null });
    expect(await operator.get<Partner>(`/partners/${partner.id}`)).toMatchObject({
      name,
      displayCurrency: null,
    });
    const newest = await operator.get<Page<Partner>>('/partners?pageSize=1');
    expect(newest.items[0]?.id).toBe(partner.id);
    expect((await operator.call(`/partners/${randomUUID()}`)).state).toBe('NOT_FOUND_PARTNER');
    expect(await stateOf('/partners', { name: '' })).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('when a credential is revoked or its partner made inactive, then it gets no new token', async () => {
    const partner = await operator.newPartner();
    const exchange = (credential: object) =>
      send(`${platform.gatewayUrl}/api/v1/auth/token`, { body: credential });
    const { sandbox, live } = partner.credentials;
    expect((await exchange(sandbox)).status).toBe(200);
    const revoked = await operator.call(`/credentials/${sandbox.clientId}`, { method: 'DELETE' });
    expect(revoked.status).toBe(200);
    expect((await exchange(sandbox)).state).toBe('UNAUTHORIZED_INVALID_CREDENTIALS');
    await operator.patch(`/partners/${partner.id}`, { isActive: false });
    expect((await exchange(live)).state).toBe('UNAUTHORIZED_INVALID_CREDENTIALS');
    await operator.patch(`/partners/${partner.id}`, { isActive: true });
    expect((await exchange(live)).status).toBe(200);
  });

  test('when an operator says what a partner sells and waives the rest, then it is certified, and the audit says why (spec §17.6)', async () => {
    const { id } = await operator.createPartner({ name: `Test ${randomUUID()}` });
    const certification = `/partners/${id}/certification`;
    expect(await operator.get(certification)).toMatchObject({ partnerId: id, status: 'InProgress' });
    const products = await operator.call(`${certification}/products`, {
      method: 'PUT',
      body: { products: ['Esim'] },
    });
    expect(products.payload).toMatchObject({ products: ['Esim'], status: 'InProgress' });
    expect(await stateOf(`${certification}/waive`, { reason: '' })).toEqual([400, 'VALIDATION_FAILED']);
    const reason = 'Shown on the old platform.';
    const waived = await operator.post<{ waivedBy: string }>(`${certification}/waive`, { reason });
    expect(waived).toMatchObject({ status: 'Certified', isWaived: true, waiveReason: reason });
    const audit = await operator.get<Page<{ action: string; details: object }>>(`/audit?partnerId=${id}`);
    expect(audit.items[0]).toMatchObject({
      action: 'certification.waive',
      operator: waived.waivedBy,
      details: { reason },
    });
  });

  test('when the operator’s token is missing or wrong, then every response is 401', async () => {
    for (const headers of [undefined, { authorization: 'Bearer wrong' }]) {
      const response = await send(`${platform.backofficeUrl}/ops/v1/partners`, headers ? { headers } : {});
      expect([response.status, response.payload]).toEqual([401, null]);
    }
  });
});

describe('wallets (spec §3.6, §12)', () => {
  let partner: TestPartner;
  beforeAll(async () => {
    partner = await operator.newPartner({ deposit: 0 });
  });
  const wallet = (what: 'credit' | 'adjust'): string => `/partners/${partner.id}/wallet/${what}`;

  test('when a credit is sent twice under one key, then it counts once; with other values it conflicts', async () => {
    const body = {
      environment: 'sandbox',
      amount: 100.5,
      notes: 'Bank transfer',
      idempotencyKey: randomUUID(),
    };
    const first = await operator.post<Transaction>(wallet('credit'), body);
    expect(first).toMatchObject({
      transactionType: 'Credit',
      referenceType: 'Deposit',
      amount: 100.5,
      balanceAfter: 100.5,
    });
    expect(await operator.post<Transaction>(wallet('credit'), body)).toEqual(first);
    expect(await stateOf(wallet('credit'), { ...body, amount: 100.51 })).toEqual([
      409,
      'CONFLICT_IDEMPOTENCY_KEY_REUSED',
    ]);
    expect(await stateOf(wallet('adjust'), { ...body, amount: 1 })).toEqual([
      409,
      'CONFLICT_IDEMPOTENCY_KEY_REUSED',
    ]);
    expect((await partner.sandbox.balance()).currentBalance).toBe(100.5);
    expect((await partner.live.balance()).currentBalance).toBe(0);
  });

  test('when a wallet is adjusted, then it goes both ways but never past what is available', async () => {
    const adjust = (amount: number) => ({
      environment: 'live',
      amount,
      notes: 'Correction',
      idempotencyKey: randomUUID(),
    });
    await operator.post(wallet('adjust'), adjust(20));
    const debit = await operator.post<Transaction>(wallet('adjust'), adjust(-5.25));
    expect(debit).toMatchObject({
      transactionType: 'Debit',
      referenceType: 'Adjustment',
      amount: 5.25,
      balanceAfter: 14.75,
    });
    expect(await stateOf(wallet('adjust'), adjust(-14.76))).toEqual([422, 'BUSINESS_INSUFFICIENT_BALANCE']);
    expect(await stateOf(wallet('adjust'), adjust(0))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await stateOf(wallet('credit'), adjust(-1))).toEqual([400, 'VALIDATION_FAILED']);
    expect((await partner.live.balance()).availableBalance).toBe(14.75);
  });

  test('when an operator reads a wallet, then each line names the operator and the request that moved the money', async () => {
    const { id } = await operator.newPartner({ deposit: 0 });
    const body = { environment: 'sandbox', amount: 7.5, notes: 'cash', idempotencyKey: randomUUID() };
    const { headers } = await operator.call(`/partners/${id}/wallet/credit`, { body });
    const requestId = headers.get('x-request-id');
    const path = `/partners/${id}/wallet`;
    expect(await operator.get(`${path}?environment=sandbox`)).toMatchObject({
      partnerId: id,
      currentBalance: 7.5,
    });
    const lines = await operator.get<Page<Transaction>>(`${path}/transactions?environment=sandbox`);
    expect(lines.items).toEqual([
      expect.objectContaining({ amount: 7.5, operator: expect.any(String), requestId, approvedBy: null }),
    ]);
  });

  test('when a wallet is opened twice, then it is the same wallet; without one a credit is NOT_FOUND_WALLET', async () => {
    const path = `/partners/${partner.id}/wallet`;
    const first = await operator.post(path, { environment: 'sandbox' });
    expect(await operator.post(path, { environment: 'sandbox' })).toEqual(first);
    const poor = await operator.newPartner();
    const body = { environment: 'live', amount: 1, idempotencyKey: randomUUID() };
    expect(await stateOf(`/partners/${poor.id}/wallet/credit`, body)).toEqual([404, 'NOT_FOUND_WALLET']);
  });
});

describe('orders (spec §4.4, §12)', () => {
  let partner: TestPartner;
  beforeAll(async () => {
    partner = await operator.newPartner({ deposit: 1_000 });
  });
  const undecided = async (): Promise<TopupOrder> =>
    expectSuccess(await partner.sandbox.topup(newTopup({ phoneNumber: phoneEnding('0005') })));
  const money = async (): Promise<number[]> => {
    const { currentBalance, availableBalance } = await partner.sandbox.balance();
    return [currentBalance, availableBalance];
  };

  test('when an undecided order is resolved, then the money follows the decision, once', async () => {
    const [before = 0] = await money();
    const [sold, failed] = [await undecided(), await undecided()];
    expect(await money()).toEqual([before, before - 20]);
    const resolve = (order: TopupOrder, outcome: string) =>
      operator.call<TopupOrder>(`/orders/${order.orderGlobalId}/resolve`, {
        body: { outcome, notes: 'Asked the vendor' },
      });
    expect(expectSuccess(await resolve(sold, 'Completed'))).toMatchObject({
      orderId: sold.orderId,
      status: 'Completed',
    });
    expect(expectSuccess(await resolve(failed, 'Failed'))).toMatchObject({
      status: 'Failed',
      failureCode: 'OPERATOR_DECISION',
    });
    expect(await money()).toEqual([before - 10, before - 10]);
    expect((await resolve(sold, 'Failed')).state).toBe('CONFLICT_ORDER_STATE');
    expect((await partner.sandbox.order(sold.orderId)).status).toBe('Completed');
    expect((await resolve(sold, 'Perhaps')).state).toBe('VALIDATION_FAILED');
  });

  test('when an undecided eSIM is resolved as Completed, then it is charged and shows what the vendor knows', async () => {
    const [before = 0] = await money();
    const order = expectSuccess(await partner.sandbox.esim(newEsim({ email: emailTagged('unknown') })));
    expect([order.status, order.esimQrCode]).toEqual(['InterventionRequired', null]);
    const resolved = await operator.post<EsimOrder>(`/orders/${order.orderGlobalId}/resolve`, {
      outcome: 'Completed',
      notes: 'Asked the vendor',
      esimIccid: '8996699000000000007',
    });
    expect(resolved).toMatchObject({ status: 'Completed', esimQrCode: expect.stringMatching(/^LPA:1\$/) });
    expect(resolved.esimIccid).not.toBe('8996699000000000007');
    expect(await partner.sandbox.esimOrder(order.orderId)).toEqual(resolved);
    expect(await money()).toEqual([before - 19, before - 19]);
  });

  test('when a completed order is reversed, then it is refunded once and keeps its completedAt', async () => {
    const order = expectSuccess(await partner.sandbox.topup(newTopup({ amount: 33.33 })));
    const [before = 0] = await money();
    const reverse = () =>
      operator.call<TopupOrder>(`/orders/${order.orderGlobalId}/reverse`, { body: { notes: 'Complaint' } });
    expect(expectSuccess(await reverse())).toMatchObject({
      status: 'Reversed',
      completedAt: order.completedAt,
    });
    expect(await money()).toEqual([before + 33.33, before + 33.33].map((sum) => Math.round(sum * 100) / 100));
    expect((await partner.sandbox.transactions())[0]).toMatchObject({
      transactionType: 'Credit',
      referenceType: 'Refund',
      referenceId: order.orderGlobalId,
      amount: 33.33,
      notes: order.externalReference,
    });
    expect((await reverse()).state).toBe('CONFLICT_ORDER_STATE');
    const refunds = (await partner.sandbox.transactions()).filter((line) => line.referenceType === 'Refund');
    expect(refunds).toHaveLength(1);
  });

  test('when an order is past its vendor, then it cannot be cancelled; an unknown one is NOT_FOUND_ORDER', async () => {
    const order = expectSuccess(await partner.sandbox.topup(newTopup()));
    expect(await stateOf(`/orders/${order.orderGlobalId}/cancel`, { notes: 'x' })).toEqual([
      409,
      'CONFLICT_ORDER_STATE',
    ]);
    expect(await stateOf('/orders/NONE-1/reverse', { notes: 'x' })).toEqual([404, 'NOT_FOUND_ORDER']);
  });

  test('when an order’s timeline is read, then saga steps and money movements stand in order of time', async () => {
    const order = expectSuccess(await partner.sandbox.topup(newTopup()));
    const timeline = await operator.get<unknown>(`/orders/${order.orderGlobalId}/timeline`);
    const text = JSON.stringify(timeline);
    expect(text).toMatch(/reserve/i);
    expect(text).toMatch(/vendor/i);
    expect(text).toMatch(/Debit/);
    const times = [...text.matchAll(/"(?:at|occurredAt|timestamp)":"([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(times.length).toBeGreaterThan(3);
    expect(times).toEqual([...times].sort());
  });

  test('when orders are listed across partners, then the filters hold', async () => {
    const order = await undecided();
    const page = await operator.get<Page<{ orderGlobalId: string; status: string }>>(
      `/orders?status=InterventionRequired&partnerId=${partner.id}&environment=sandbox`,
    );
    expect(page.items.map((item) => item.orderGlobalId)).toContain(order.orderGlobalId);
    expect(new Set(page.items.map((item) => item.status))).toEqual(new Set(['InterventionRequired']));
    const live = await operator.get<Page<object>>(`/orders?partnerId=${partner.id}&environment=live`);
    expect(live.items).toEqual([]);
  });

  test('when operators change something, then the audit has it with their name', async () => {
    const page = await operator.get<Page<object>>(`/audit?partnerId=${partner.id}&pageSize=100`);
    const text = JSON.stringify(page.items);
    expect(text).toMatch(/partner/i);
    expect(text).toMatch(/credit/i);
    expect(page.items.length).toBeGreaterThanOrEqual(5);
    const later = await operator.get<Page<object>>(
      `/audit?partnerId=${partner.id}&from=2100-01-01T00:00:00Z`,
    );
    expect(later.items).toEqual([]);
  });
});
