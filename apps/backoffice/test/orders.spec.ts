import { describe, expect, it } from '@jest/globals';
import { OrderDecision, OrderOperationsServiceService } from '@reseller/contracts';
import { aDelivery, aSummary } from './support/samples';
import { useBackoffice } from './support/backoffice';

/** What these tests read of a timeline. */
interface Shown {
  readonly entries: readonly { readonly type: string }[];
  readonly missing?: readonly string[];
}

const backoffice = useBackoffice();

describe('orders', () => {
  it('when orders are listed, then the filters are passed on and an unknown status is refused', async () => {
    const response = await backoffice.send(
      'GET',
      `/orders?status=InterventionRequired&environment=live&partnerId=${aSummary.partnerId}`,
    );
    expect(response.body.payload).toMatchObject({
      items: [{ orderGlobalId: 'ORD-1', status: 'InterventionRequired', environment: 'live', amount: 10.5 }],
      pagination: { page: 1, totalCount: 1 },
    });
    expect((await backoffice.send('GET', '/orders?status=Lost')).body.state).toBe('VALIDATION_FAILED');
    const twice = await backoffice.send('GET', '/orders?page=1&page=1&partnerId=%ff&other=%ff');
    expect(twice.body.details).toMatchObject({ errors: [{ path: 'page' }, { path: 'partnerId' }] });
  });

  it('when orders are looked for by what is in hand, then it is passed on exactly, and each shows its partner’s name (spec §18.7)', async () => {
    const response = await backoffice.send(
      'GET',
      '/orders?productType=Topup&externalReference=INV%201&orderGlobalId=TU-1&phoneNumber=+966500000001' +
        '&fromDate=2026-03-01T00:00:00Z&toDate=2026-03-02T00:00:00.001Z',
    );
    expect(response.body.payload).toMatchObject({ items: [{ partnerName: 'Acme' }] });
    expect(backoffice.rpcs()).toEqual(['listAllOrders', 'getPartnerNames']);
    expect(backoffice.calls[0]?.request).toMatchObject({
      productType: 'PRODUCT_TYPE_TOPUP',
      externalReference: 'INV 1',
      orderGlobalId: 'TU-1',
      phoneNumber: '+966500000001',
      fromAt: new Date('2026-03-01T00:00:00Z'),
      toAt: new Date('2026-03-02T00:00:00.001Z'),
    });
    expect((await backoffice.send('GET', '/orders/ORD-1/timeline')).body.payload).toMatchObject({
      order: { partnerName: 'Acme' },
    });
    const unfit = await backoffice.send('GET', '/orders?productType=Car&fromDate=today&externalReference=');
    expect(unfit.body.details).toMatchObject({
      errors: [{ path: 'productType' }, { path: 'externalReference' }, { path: 'fromDate' }],
    });
  });

  it('when a timeline is read, then saga steps, money and webhooks stand in order of time', async () => {
    const response = await backoffice.send('GET', '/orders/ORD-1/timeline');
    const { entries } = response.body.payload as { entries: { step: string }[] };
    expect(response.body.payload).toMatchObject({ request: { amount: '10.50' } });
    expect(entries.map(({ step }) => step)).toEqual([
      'funds.reserve',
      'wallet.credit',
      'webhook.order.completed',
      'vendor.submit',
    ]);
    expect(entries[2]).toMatchObject({
      type: 'WebhookDelivery',
      outcome: 'DeadLettered',
      details: { id: aDelivery.id, attempts: [{ attemptNumber: 1, errorSummary: 'Delivery failed' }] },
    });
  });

  it('when finance is away, then the timeline has the rest and says what is missing, and so for notifier', async () => {
    const timeline = async () =>
      (await backoffice.send('GET', '/orders/ORD-1/timeline')).body.payload as Shown;
    const finance = backoffice.fakes.of('finance');
    finance.fail('listTransactionsByReference', 'SERVICE_UNAVAILABLE');
    const withoutMoney = await timeline();
    expect(withoutMoney).toMatchObject({ order: { orderGlobalId: 'ORD-1' }, missing: ['WalletTransaction'] });
    expect(withoutMoney.entries.map(({ type }) => type)).toEqual(['SagaStep', 'WebhookDelivery', 'SagaStep']);
    backoffice.fakes.of('notifier').fail('listDeliveriesOfOrder', 'SERVICE_UNAVAILABLE');
    expect((await timeline()).missing).toEqual(['WalletTransaction', 'WebhookDelivery']);
    finance.fail('listTransactionsByReference', 'INTERNAL_ERROR');
    expect((await backoffice.send('GET', '/orders/ORD-1/timeline')).status).toBe(500);
  });

  it('when a timeline is read, then the audit names the order; when there is none, then nothing (spec §18.4)', async () => {
    await backoffice.send('GET', '/orders/ORD-1/timeline');
    const entry = { action: 'order.read', subject: 'ORD-1', operator: 'olga' };
    const entries = () => backoffice.calls.filter(({ method }) => method === 'recordAuditEntry');
    expect(entries().map(({ request }) => request)).toEqual([expect.objectContaining(entry)]);
    backoffice.fakes.of('orders-saga').fail('getOrderTimeline', 'NOT_FOUND_ORDER');
    expect((await backoffice.send('GET', '/orders/ORD-2/timeline')).status).toBe(404);
    expect(entries()).toHaveLength(1);
  });

  it('when something of an order waits for a person, then the list and the timeline say what, why and what can be decided', async () => {
    const since = new Date('2026-03-01T10:00:00.000Z');
    const parked = [{ step: 'funds.settle', code: 'INTERNAL_ERROR', reason: 'It failed each time.', since }];
    const orders = backoffice.fakes.of('orders-saga');
    orders.on(OrderOperationsServiceService, {
      listAllOrders: () => ({ orders: [{ ...aSummary, parked }] }),
      getOrderTimeline: () => ({
        summary: { ...aSummary, parked },
        scentOrder: undefined,
        requestJson: '{}',
        decisions: [OrderDecision.RESOLVE_COMPLETED, OrderDecision.CANCEL],
      }),
    });
    const shown = [{ ...parked[0], since: since.toISOString(), subjectId: null }];
    const list = await backoffice.send('GET', '/orders?parked=true');
    expect(list.body.payload).toMatchObject({ items: [{ orderGlobalId: 'ORD-1', parked: shown }] });
    const listed = orders.log.filter(({ method }) => method === 'listAllOrders');
    expect(listed.at(-1)?.request).toMatchObject({ parked: true });
    expect((await backoffice.send('GET', '/orders/ORD-1/timeline')).body.payload).toMatchObject({
      order: { parked: shown },
      decisions: ['ResolveCompleted', 'Cancel'],
    });
    expect((await backoffice.send('GET', '/orders?parked=maybe')).body.state).toBe('VALIDATION_FAILED');
  });

  it('when an order is resolved, then the audit names order and partner before it changes', async () => {
    const response = await backoffice.send('POST', '/orders/ORD-1/resolve', {
      outcome: 'Failed',
      notes: 'vendor says no',
    });
    expect(response.body.payload).toMatchObject({
      orderGlobalId: 'ORD-1',
      status: 'Failed',
      failureCode: 'OPERATOR_DECISION',
    });
    expect(backoffice.rpcs()).toEqual(['getOrderTimeline', 'recordAuditEntry', 'resolveOrder']);
    expect(backoffice.calls[1]?.request).toMatchObject({ subject: 'ORD-1', partnerId: aSummary.partnerId });
  });

  it('when an eSIM is resolved as Completed, then the activation data are handed on, and the audit keeps no code', async () => {
    const given = { esimIccid: '8996699000000000007', esimQrCode: 'LPA:1$smdp.example$CODE' };
    const decision = { outcome: 'Completed', notes: 'vendor confirmed' };
    const response = await backoffice.send('POST', '/orders/ES-1/resolve', {
      ...decision,
      ...given,
      esimPlanDetails: null,
    });
    expect(response.body.payload).toMatchObject({
      orderGlobalId: 'ES-1',
      status: 'Completed',
      statusDetail: { productType: 'Esim', statusCode: 'ESIM_SUCCESS' },
      esimQrCode: 'LPA:1$smdp.example$CODE',
      esimPlanDetails: null,
    });
    const [, audit, resolve] = backoffice.calls.map(({ request }) => request as Record<string, string>);
    expect(resolve).toEqual({
      orderGlobalId: 'ES-1',
      outcome: 'ORDER_STATUS_COMPLETED',
      notes: 'vendor confirmed',
      ...given,
    });
    expect(audit?.['detailsJson']).toContain('8996699000000000007');
    expect(audit?.['detailsJson']).not.toContain('LPA');
    const unfit = await backoffice.send('POST', '/orders/ES-1/resolve', { ...decision, esimQrCode: 'CODE' });
    expect(unfit.body.details).toMatchObject({ errors: [{ path: 'esimQrCode' }] });
  });

  it('when the order cannot take the move, then the conflict is passed on', async () => {
    backoffice.fakes.of('orders-saga').fail('reverseOrder', 'CONFLICT_ORDER_STATE');
    const response = await backoffice.send('POST', '/orders/ORD-1/reverse', { notes: 'customer complained' });
    expect([response.status, response.body.state]).toEqual([409, 'CONFLICT_ORDER_STATE']);
  });
});
