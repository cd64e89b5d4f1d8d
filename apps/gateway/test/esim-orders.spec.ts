import { describe, expect, it } from '@jest/globals';
import { expectFaults, useGateway } from './support/gateway';
import { ACME, someTopupOrder } from './support/samples';

const gateway = useGateway();

const ESIM_PATH = '/api/v1/orders/esim';
const lastCall = () => gateway.dependencies.seen.calls.at(-1);

const esim = {
  externalReference: 'ref-1',
  geoScopeGlobalId: 'GEO-SA',
  productSku: 'ESIM-SA-1GB-7D',
  email: 'a+pending@example.com',
  amount: 19.9,
};

describe('eSIM orders', () => {
  it('when an eSIM is ordered, then the service gets exact values, and what is not known yet is null', async () => {
    const body = { ...esim, dataAllowance: 2.5, validityDays: 7, sagaId: null };
    const response = await gateway.post(gateway.token, '/api/v1/orders/esim', body);
    expect(response.status).toBe(200);
    expect(response.body.payload).toEqual({
      orderId: someTopupOrder().orderId,
      orderGlobalId: 'ES-1',
      sagaId: 'saga-1',
      partnerId: ACME,
      partnerGlobalId: 'PRT-000001',
      geoScopeGlobalId: 'GEO-SA',
      externalReference: 'ref-1',
      productSku: 'ESIM-SA-1GB-7D',
      email: 'a+pending@example.com',
      dataAllowance: 2.5,
      validityDays: 7,
      amount: 19.9,
      currency: 'SAR',
      status: 'Processing',
      statusDetail: {
        productType: 'Esim',
        statusCode: 'ESIM_PROCESSING',
        description: 'The vendor is working on it.',
      },
      errorMessage: null,
      failureCode: null,
      submittedAt: '2026-01-15T09:30:00.000Z',
      completedAt: null,
      currentRetryCount: 0,
      nextPollAt: '2026-01-15T09:30:02.000Z',
      esimIccid: null,
      esimQrCode: null,
      esimActivationCode: null,
      esimPlanDetails: null,
      esimQrCodeImage: null,
      displayCurrency: null,
      rate: null,
      amountDisplay: null,
    });
    expect(lastCall()?.request).toEqual({ ...esim, amount: '19.9', dataAllowance: '2.5', validityDays: 7 });
    await gateway.post(gateway.token, '/api/v1/orders/esim', { ...esim, dataAllowance: null });
    expect(lastCall()?.request).toEqual({ ...esim, amount: '19.9' });
  });

  it('when an eSIM order is completed, then it shows what turns the eSIM on, in the unified view as well', async () => {
    const id = someTopupOrder().orderId;
    const { body } = await gateway.sendAs(gateway.token, `/api/v1/orders/esim/${id}`, {});
    expect(body.payload).toMatchObject({
      statusDetail: { statusCode: 'ESIM_SUCCESS' },
      esimIccid: '8996699000000000007',
      esimQrCode: 'LPA:1$smdp.example$CODE',
      esimActivationCode: 'CODE',
      esimPlanDetails: null,
      esimQrCodeImage: expect.stringMatching(/^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/),
    });
    const listed = await gateway.sendAs(gateway.token, '/api/v1/orders/esim', {});
    expect(Object.keys(body.payload as object).sort()).toEqual(
      Object.keys((listed.body.payload as { items: object[] }).items[0]!).sort(),
    );
    const unified = await gateway.sendAs(gateway.token, '/api/v1/orders/by-global-id/ES-1', {});
    expect(unified.body.payload).toMatchObject({ order: { statusDetail: { productType: 'Esim' } } });
  });

  it('when eSIM products are listed, then each has its price and plan as numbers', async () => {
    const path = '/api/v1/esim/products?page=2&pageSize=5&geoScopeGlobalId=GEO-SA';
    const { body } = await gateway.sendAs(gateway.token, path, {});
    expect(lastCall()?.request).toEqual({ page: { page: 2, pageSize: 5 }, geoScopeGlobalId: 'GEO-SA' });
    expect(body.payload).toMatchObject({
      items: [{ productSku: 'ESIM-SA-1GB-7D', dataAllowance: 2.5, amount: 19.9, isActive: true }],
      pagination: { totalCount: 1 },
    });
  });
});

describe('an eSIM’s body', () => {
  const longest = `${'x'.repeat(64)}@${`${'y'.repeat(60)}.`.repeat(3)}museum`;

  it.each<[string, object, string[]]>([
    ['no field', {}, ['amount', 'email', 'externalReference', 'geoScopeGlobalId', 'productSku']],
    ['a phone number', { ...esim, phoneNumber: '+966501234567' }, ['phoneNumber']],
    ['an allowance as text', { ...esim, dataAllowance: '1' }, ['dataAllowance']],
    ['no allowance at all', { ...esim, dataAllowance: 0 }, ['dataAllowance']],
    ['half a day', { ...esim, validityDays: 0.5 }, ['validityDays']],
    ['no day', { ...esim, validityDays: 0 }, ['validityDays']],
    ['days as text', { ...esim, validityDays: '7' }, ['validityDays']],
    ['an empty sku', { ...esim, productSku: '' }, ['productSku']],
    ['a list of addresses', { ...esim, email: ['a@example.com'] }, ['email']],
    ...[
      '',
      'anyone',
      '@example.com',
      'anyone@',
      'anyone@localhost',
      'any one@example.com',
      'a..b@example.com',
      '.a@example.com',
      'a@b@example.com',
      'a@-b.example',
      'a@example..com',
      'a@example.com\n',
      `${'x'.repeat(65)}@example.com`,
      `a@${'y.'.repeat(130)}example`,
    ].map((email): [string, object, string[]] => [`the address ${email}`, { ...esim, email }, ['email']]),
  ])('when it has %s, then each fault is named', async (_name, body, faults) => {
    const response = await gateway.post(gateway.token, ESIM_PATH, body);
    expectFaults(response, faults);
  });

  it.each([
    [1e-7, '0.0000001'],
    [2.5, '2.5'],
    [999999999, '999999999'],
  ])('when the allowance is %d, then the service gets it in plain digits', async (dataAllowance, passed) => {
    const response = await gateway.post(gateway.token, ESIM_PATH, { ...esim, dataAllowance });
    expect(response.status).toBe(200);
    expect(gateway.dependencies.seen.calls.at(-1)?.request).toMatchObject({ dataAllowance: passed });
  });

  it.each(['anyone+fail@example.com', "o'neil.x_y@sub.example.co", 'A@b-c.museum', '1@2.x3', longest])(
    'when the address is %s, then the service gets it as it stands',
    async (email) => {
      const response = await gateway.post(gateway.token, ESIM_PATH, { ...esim, email });
      expect(response.status).toBe(200);
      expect(gateway.dependencies.seen.calls.at(-1)?.request).toMatchObject({ email });
    },
  );
});
