import { describe, expect, it } from '@jest/globals';
import { Environment, OrderStatus, ProductType, TransactionType } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { useGateway } from './support/gateway';
import { ACME, someTopupOrder } from './support/samples';

const gateway = useGateway();

const lastCall = () => gateway.dependencies.seen.calls.at(-1);

const topup = {
  externalReference: 'ref-1',
  geoScopeGlobalId: 'GEO-SA',
  amount: 10.1,
  phoneNumber: '+966501234567',
};

describe('the routes (spec §1.1)', () => {
  it('when a credential is exchanged, then the token comes back with its type and lifetime', async () => {
    const response = await gateway.send('/api/v1/auth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId: 'a', clientSecret: 'b', onBehalfOf: null }),
    });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      state: 'SUCCESS',
      payload: { accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 300 },
    });
    expect(lastCall()?.request).toEqual({ clientId: 'a', clientSecret: 'b', callerAddress: '127.0.0.1' });
  });

  it('when a top-up is created, then the service gets the exact amount and the scope, and the partner the whole order', async () => {
    const response = await gateway.post(gateway.token, '/api/v1/orders/topup', {
      ...topup,
      partnerId: ACME.toUpperCase(),
    });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      state: 'SUCCESS',
      payload: {
        orderId: someTopupOrder().orderId,
        orderGlobalId: 'ORD-1',
        sagaId: 'saga-1',
        partnerId: ACME,
        partnerGlobalId: 'PRT-000001',
        geoScopeGlobalId: 'GEO-SA',
        externalReference: 'ref-1',
        phoneNumber: '+966501234567',
        amount: 10.1,
        currency: 'SAR',
        status: 'Completed',
        statusDetail: { productType: 'Topup', statusCode: 'TOPUP_SUCCESS', description: null },
        vendorOrderId: 'V-1',
        errorMessage: null,
        failureCode: null,
        submittedAt: '2026-01-15T09:30:00.000Z',
        completedAt: '2026-01-15T09:30:01.000Z',
        currentRetryCount: 0,
        nextPollAt: null,
        displayCurrency: 'USD',
        rate: 0.266667,
        amountDisplay: 2.69,
      },
    });
    expect(lastCall()?.request).toEqual({
      externalReference: 'ref-1',
      geoScopeGlobalId: 'GEO-SA',
      amount: '10.1',
      phoneNumber: '+966501234567',
    });
    expect(lastCall()?.call.partner).toEqual({
      partnerId: ACME,
      partnerGlobalId: 'PRT-000001',
      path: [ACME],
      environment: Environment.SANDBOX,
      clientId: 'acme-sandbox',
    });
  });

  it.each([
    ['GET', '/api/v1/orders/topup/019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8a', 'getTopupOrder'],
    ['GET', '/api/v1/orders/topup/reference/a%2Fb%20c', 'getTopupOrderByReference'],
    ['GET', '/api/v1/orders/topup', 'listTopupOrders'],
    ['GET', '/api/v1/orders/esim/019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8a', 'getEsimOrder'],
    ['GET', '/api/v1/orders/esim/reference/a%2Fb%20c', 'getEsimOrderByReference'],
    ['GET', '/api/v1/orders/esim?status=Failed&fromDate=2026-01-01T00:00:00Z', 'listEsimOrders'],
    ['GET', '/api/v1/esim/products', 'listEsimProducts'],
    ['GET', '/api/v1/orders', 'listOrders'],
    ['GET', '/api/v1/orders/by-global-id/ORD-1', 'getOrderByGlobalId'],
    ['GET', '/api/v1/geo-scopes', 'listGeoScopes'],
    ['GET', '/api/v1/wallet/balance', 'getBalance'],
    ['GET', '/api/v1/wallet/transactions', 'listTransactions'],
    ['HEAD', '/api/v1/wallet/balance', 'getBalance'],
  ])('when %s %s is called, then %s responds in its declared shape', async (method, path, rpc) => {
    const response = await gateway.sendAs(gateway.token, path, { method });
    expect([response.status, response.text === '' ? 'SUCCESS' : response.body.state]).toEqual([
      200,
      'SUCCESS',
    ]);
    expect(lastCall()?.method).toBe(rpc);
    if (rpc.endsWith('ByReference')) expect(lastCall()?.request).toEqual({ externalReference: 'a/b c' });
  });

  it('when a list is filtered, then the filters reach the service', async () => {
    await gateway.sendAs(
      gateway.token,
      '/api/v1/orders?page=3&pageSize=100&productType=Topup&status=Returned&fromDate=2026-01-01T00:00:00%2B03:00&toDate=2026-02-01T00:00:00Z&externalReference=x&unknown=1&unknown=2',
    );
    expect(lastCall()?.request).toEqual({
      page: { page: 3, pageSize: 100 },
      productType: ProductType.TOPUP,
      status: OrderStatus.RETURNED,
      fromAt: new Date('2025-12-31T21:00:00Z'),
      toAt: new Date('2026-02-01T00:00:00Z'),
      externalReference: 'x',
    });
    await gateway.sendAs(gateway.token, '/api/v1/wallet/transactions?transactionType=Credit');
    expect(lastCall()?.request).toMatchObject({
      page: { page: 1, pageSize: 20 },
      transactionType: TransactionType.CREDIT,
    });
  });

  it.each([
    ['2026-02-01T00:00:00.4710000Z', '2026-02-01T00:00:00.471Z'],
    ['2026-02-01T00:00:00.471000001Z', '2026-02-01T00:00:00.472Z'],
    ['2026-02-01T02:59:59.9999+03:00', '2026-02-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999Z'],
  ])('when a filter is %s, then it divides times of whole milliseconds at %s', async (sent, reaches) => {
    const query = `fromDate=${encodeURIComponent(sent)}&toDate=${encodeURIComponent(sent)}`;
    await gateway.sendAs(gateway.token, `/api/v1/orders?${query}`);
    expect(lastCall()?.request).toMatchObject({ fromAt: new Date(reaches), toAt: new Date(reaches) });
  });

  it('when a service refuses, then its code, status and details reach the partner, and Retry-After becomes a header', async () => {
    const { topups } = gateway.dependencies;
    const create = topups.createTopupOrder;
    topups.createTopupOrder = () =>
      Promise.reject(new AppError('CONFLICT_ORDER_IN_PROGRESS', { orderId: 'o-1', retryAfterSeconds: 3 }));
    const conflict = await gateway.post(gateway.token, '/api/v1/orders/topup', topup);
    topups.createTopupOrder = () => Promise.reject(new Error('SELECT secret FROM somewhere'));
    const fault = await gateway.post(gateway.token, '/api/v1/orders/topup', topup);
    topups.createTopupOrder = create;
    expect([conflict.status, conflict.body.state, conflict.headers.get('retry-after')]).toEqual([
      409,
      'CONFLICT_ORDER_IN_PROGRESS',
      '3',
    ]);
    expect(conflict.body.details).toEqual({
      message: expect.any(String),
      requestId: conflict.headers.get('x-request-id'),
      orderId: 'o-1',
    });
    expect([fault.status, fault.body.state]).toEqual([500, 'INTERNAL_ERROR']);
    expect(fault.text).not.toContain('SELECT');
  });
});
