import { describe, expect, it } from '@jest/globals';
import { expectEnvelope, expectFaults, useGateway } from './support/gateway';

const gateway = useGateway();

describe('a path or query', () => {
  it.each<[string, string[]]>([
    ['/api/v1/orders/topup/not-a-uuid', ['orderId']],
    ['/api/v1/orders/topup/%ZZ', ['orderId']],
    ['/api/v1/orders/topup/reference/%C3%28', ['externalReference']],
    ['/api/v1/orders/topup/reference/a%00b', ['externalReference']],
    [`/api/v1/orders/topup/reference/${'x'.repeat(129)}`, ['externalReference']],
    ['/api/v1/orders/by-global-id/%00', ['orderGlobalId']],
    ['/api/v1/orders?page=0', ['page']],
    ['/api/v1/orders?page=', ['page']],
    ['/api/v1/orders?page=1.0', ['page']],
    ['/api/v1/orders?page=%2B1', ['page']],
    ['/api/v1/orders?page=2147483648', ['page']],
    ['/api/v1/orders?page=99999999999999999999', ['page']],
    ['/api/v1/orders?page=1&page=1', ['page']],
    ['/api/v1/orders?pageSize=101&page=x', ['page', 'pageSize']],
    ['/api/v1/orders?status=completed', ['status']],
    ['/api/v1/orders/topup?status=Returned', ['status']],
    ['/api/v1/orders/esim?status=Returned&toDate=x', ['status', 'toDate']],
    ['/api/v1/orders/esim/not-a-uuid', ['orderId']],
    ['/api/v1/esim/products?pageSize=0&geoScopeGlobalId=', ['geoScopeGlobalId', 'pageSize']],
    ['/api/v1/orders?productType=toString', ['productType']],
    ['/api/v1/orders?fromDate=2026-02-30T00:00:00Z', ['fromDate']],
    ['/api/v1/orders?fromDate=2026-01-01', ['fromDate']],
    ['/api/v1/orders?fromDate=0000-01-01T00:00:00Z', ['fromDate']],
    ['/api/v1/orders?toDate=9999-12-31T23:59:59-14:00', ['toDate']],
    ['/api/v1/orders?externalReference=%00', ['externalReference']],
    ['/api/v1/orders?externalReference=%ff', ['externalReference']],
    ['/api/v1/wallet/transactions?transactionType=DEBIT', ['transactionType']],
  ])('when it is %s, then the parameter is named', async (path, faults) => {
    const response = await gateway.sendAs(gateway.token, path);
    expectFaults(response, faults);
  });

  it.each([
    ['GET', '/'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/orders/'],
    ['GET', '/api/v1/orders/topup/'],
    ['GET', '/api/v1//orders'],
    ['GET', '/API/V1/orders'],
    ['GET', '/api/v1/%6Frder%'],
    ['GET', '/docs/../../package.json'],
    ['GET', '/docs/%2e%2e/package.json'],
    ['GET', '/docs/%E0%A4%A'],
    ['GET', '/docs/index.html'],
    ['POST', '/__proto__'],
  ])('when %s %s does not exist, then it is NOT_FOUND_ROUTE', async (method, path) => {
    const response = await gateway.send(path, { method });
    expectEnvelope(response);
    expect(response.body.state).toBe('NOT_FOUND_ROUTE');
  });

  it.each([
    ['DELETE', '/api/v1/orders/topup', 'GET, HEAD, POST'],
    ['GET', '/api/v1/auth/token', 'POST'],
    ['OPTIONS', '/api/v1/wallet/balance', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['PUT', '/api/v1/openapi.json', 'GET, HEAD'],
  ])('when %s %s has other methods, then Allow names them', async (method, path, allow) => {
    const response = await gateway.send(path, { method });
    expectEnvelope(response);
    expect([response.body.state, response.headers.get('allow')]).toEqual(['METHOD_NOT_ALLOWED', allow]);
  });
});
