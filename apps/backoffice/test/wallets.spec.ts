import { describe, expect, it } from '@jest/globals';
import { Environment, TransactionType } from '@reseller/contracts';
import { v4 as newId } from 'uuid';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

describe('wallets', () => {
  const credit = { environment: 'live', amount: 10.5, notes: 'cash', idempotencyKey: 'k-1' };

  it('when a wallet is credited, then the audit entry is there before the money', async () => {
    const response = await backoffice.send(
      'POST',
      `/partners/${backoffice.newPartner()}/wallet/credit`,
      credit,
    );
    expect(response.body.payload).toMatchObject({
      transactionId: 42,
      amount: 10.5,
      referenceType: 'Deposit',
    });
    expect(backoffice.rpcs()).toEqual(['getPartner', 'recordAuditEntry', 'creditWallet']);
    expect(backoffice.calls[1]?.request).toMatchObject({ action: 'wallet.credit', operator: 'olga' });
    expect(backoffice.calls[2]?.request).toMatchObject({
      amount: '10.5',
      notes: 'cash',
      idempotencyKey: 'k-1',
    });
  });

  it('when limits on spending are set, then the audit entry is there before them, and says all of them', async () => {
    const partnerId = backoffice.newPartner();
    const limits = { environment: 'live', maxOrderAmount: 200.25, dailyOrdersPerPhone: 0 };
    const response = await backoffice.send('PUT', `/partners/${partnerId}/limits`, limits);
    expect(response.body).toMatchObject({ payload: { partnerId, ...limits, dailySpend: null } });
    expect(backoffice.rpcs()).toEqual(['getPartner', 'recordAuditEntry', 'setPartnerLimits']);
    expect(backoffice.calls[1]?.request).toMatchObject({
      action: 'partner.limits',
      partnerId,
      detailsJson:
        '{"environment":"live","maxOrderAmount":"200.25","dailySpend":null,"dailyOrdersPerPhone":0}',
    });
  });

  it('when the audit cannot be written, then no money moves', async () => {
    backoffice.fakes.of('identity').fail('recordAuditEntry', 'SERVICE_UNAVAILABLE');
    const response = await backoffice.send(
      'POST',
      `/partners/${backoffice.newPartner()}/wallet/credit`,
      credit,
    );
    expect(response.body.state).toBe('SERVICE_UNAVAILABLE');
    expect(backoffice.rpcs()).not.toContain('creditWallet');
  });

  it('when the partner is unknown, then no wallet is opened', async () => {
    const response = await backoffice.send('POST', `/partners/${newId()}/wallet`, { environment: 'live' });
    expect([response.status, response.body.state]).toEqual([404, 'NOT_FOUND_PARTNER']);
    expect(backoffice.rpcs()).toEqual(['getPartner']);
  });

  it('when a wallet is read, then its balance shows, and each line whose decision it follows from', async () => {
    const path = `/partners/${backoffice.newPartner()}/wallet`;
    const wallet = await backoffice.send('GET', `${path}?environment=sandbox`);
    expect(wallet.body.payload).toMatchObject({
      environment: 'sandbox',
      currentBalance: 10.5,
      availableBalance: 8,
    });
    const read = backoffice.calls.find(({ method }) => method === 'recordAuditEntry');
    expect(read?.request).toMatchObject({
      action: 'wallet.read',
      subject: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const filters = 'environment=live&transactionType=Credit&fromDate=2026-01-01T00:00:00Z&pageSize=5';
    const { body } = await backoffice.send('GET', `${path}/transactions?${filters}`);
    expect(body.payload).toMatchObject({
      items: [
        { transactionId: 42, operator: 'omar', requestId: 'req-1', approvedBy: null },
        { referenceType: 'Order', operator: null, requestId: null, approvedBy: null },
      ],
    });
    const listed = backoffice.calls.find(({ method }) => method === 'listWalletTransactions');
    expect(listed?.request).toMatchObject({
      environment: Environment.LIVE,
      page: { page: 1, pageSize: 5 },
      fromAt: new Date('2026-01-01T00:00:00Z'),
      transactionType: TransactionType.CREDIT,
    });
    expect((await backoffice.send('GET', path)).body.state).toBe('VALIDATION_FAILED');
  });

  it.each([0, -1, 1.005, 1e14])('when a credit is of %s, then it is refused', async (amount) => {
    const response = await backoffice.send('POST', `/partners/${backoffice.newPartner()}/wallet/credit`, {
      ...credit,
      amount,
    });
    expect(response.body.state).toBe('VALIDATION_FAILED');
  });

  it('when an adjustment is negative, then it is passed on', async () => {
    const response = await backoffice.send('POST', `/partners/${backoffice.newPartner()}/wallet/adjust`, {
      ...credit,
      amount: -3.25,
    });
    expect(response.body.payload).toMatchObject({ referenceType: 'Adjustment' });
    expect(backoffice.calls.at(-1)?.request).toMatchObject({ amount: '-3.25' });
  });
});
