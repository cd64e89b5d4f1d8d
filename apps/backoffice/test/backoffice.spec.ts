import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Availability, WebhookDeliveryStatus } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { runService, type RunningService } from '@reseller/service-kit';
import { connect } from 'node:net';
import { v4 as newId } from 'uuid';
import { gzipSync } from 'node:zlib';
import { backofficeConfig } from '../src/config';
import { createParts } from '../src/container';
import { AT, aDelivery, aPartner, aSummary, aVariant, startDependencies } from './dependencies';

const TOKEN = 'op_0123456789abcdef';

let dependencies: Awaited<ReturnType<typeof startDependencies>>;
let service: RunningService;

beforeAll(async () => {
  dependencies = await startDependencies();
  service = await runService(
    { name: 'backoffice', config: backofficeConfig, start: createParts },
    {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      BACKOFFICE_PORT: '0',
      OPERATOR_TOKENS: `olga=${TOKEN},otto=op_fedcba9876543210`,
      SHUTDOWN_GRACE_MS: '0',
      ...dependencies.addresses,
    },
  );
});
afterAll(async () => {
  await service.stop();
  await dependencies.stop();
});
beforeEach(() => {
  dependencies.heard.length = 0;
  dependencies.faults.clear();
  dependencies.partners.clear();
});

interface Answer {
  status: number;
  headers: Headers;
  body: { state: string; payload: unknown; details?: Record<string, unknown> };
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${service.appPort}/ops/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}

const isRaw = (body: unknown): body is string | Buffer<ArrayBuffer> =>
  typeof body === 'string' || Buffer.isBuffer(body);

const asked = (): string[] => dependencies.heard.map(({ method }) => method);

function registered(): string {
  const partner = aPartner();
  dependencies.partners.set(partner.id, partner);
  return partner.id;
}

describe('who may use backoffice', () => {
  it.each([
    ['no token', {}],
    ['an unknown token', { authorization: 'Bearer op_0000000000000000' }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
  ])('when a request comes with %s, then it is 401 and nobody is asked', async (_case, headers) => {
    const answer = await send('GET', '/partners', undefined, { authorization: '', ...headers });
    expect(answer.status).toBe(401);
    expect(answer.body.state).toBe('UNAUTHORIZED_INVALID_TOKEN');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(asked()).toEqual([]);
  });

  it('when OPERATOR_TOKENS is unfit, then the service names it and does not start', async () => {
    for (const tokens of [
      'olga',
      'olga=short',
      `olga=${TOKEN},olga=op_fedcba9876543210`,
      `a=${TOKEN},b=${TOKEN}`,
    ]) {
      const start = runService(
        { name: 'backoffice', config: backofficeConfig, start: createParts },
        { OPERATOR_TOKENS: tokens, ...dependencies.addresses },
      );
      await expect(start).rejects.toThrow(/^OPERATOR_TOKENS is not valid: expected name=token/);
    }
  });
});

describe('the envelope', () => {
  it('when the path or the method is unknown, then 404 or 405 in the envelope, without a token too', async () => {
    const unknown = await send('GET', '/nothing', undefined, { authorization: '' });
    expect([unknown.status, unknown.body.state]).toEqual([404, 'NOT_FOUND_ROUTE']);
    const wrong = await send('DELETE', '/partners', undefined, { authorization: '' });
    expect([wrong.status, wrong.body.state]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('when a path holds a broken escape, then its parameter is at fault, after the token', async () => {
    const answer = await send('GET', '/partners/%zz');
    expect(answer.body.details).toMatchObject({ errors: [{ path: 'id' }] });
    expect((await send('GET', '/partners/%zz', undefined, { authorization: '' })).status).toBe(401);
    expect((await send('GET', '/Partners')).body.state).toBe('NOT_FOUND_ROUTE');
  });

  it('when a request names its id, then the answer and its details carry it', async () => {
    const answer = await send('GET', '/nothing', undefined, { 'x-request-id': 'my-id.1' });
    expect(answer.headers.get('x-request-id')).toBe('my-id.1');
    expect(answer.body.details).toMatchObject({ requestId: 'my-id.1', message: expect.any(String) });
  });

  it.each([
    ['is no JSON', '{"name":', 'application/json', 400, 'VALIDATION_MALFORMED_JSON'],
    ['is an array', '[1]', 'application/json', 400, 'VALIDATION_MALFORMED_JSON'],
    ['is a bare value', '"a"', 'application/json', 400, 'VALIDATION_MALFORMED_JSON'],
    ['is a form', 'name=Acme', 'application/x-www-form-urlencoded', 415, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE'],
    [
      'is over 100 KiB',
      JSON.stringify({ name: 'a'.repeat(103_000) }),
      'application/json',
      413,
      'VALIDATION_PAYLOAD_TOO_LARGE',
    ],
  ])('when a body %s, then it is refused', async (_case, body, type, status, state) => {
    const answer = await send('POST', '/partners', body, { 'content-type': type });
    expect([answer.status, answer.body.state]).toEqual([status, state]);
    expect(asked()).toEqual([]);
  });

  it('when a body is compressed, then it is refused, and so is one where none is taken', async () => {
    const packed = await send('POST', '/partners', gzipSync('{"name":"Acme"}'), {
      'content-encoding': 'gzip',
    });
    expect([packed.status, packed.body.state]).toEqual([415, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE']);
    const extra = await send('DELETE', '/credentials/pk_1', { now: true });
    expect(extra.body.details).toMatchObject({ errors: [{ path: 'now' }] });
    expect(asked()).toEqual([]);
  });

  it('when a number cannot be held as it was written, then it is refused, not rounded', async () => {
    const money = (amount: string) =>
      `{"environment":"live","notes":"n","idempotencyKey":"k","amount":${amount}}`;
    for (const amount of ['10.10000000000000000001', '9007199254740993', '1e400', '"10"']) {
      const answer = await send('POST', `/partners/${registered()}/wallet/credit`, money(amount));
      expect(answer.body.details).toMatchObject({ errors: [{ path: 'amount' }] });
    }
    const rate = await send('PUT', '/rates/USD', '{"rate":0.2666670000000001}');
    expect(rate.body.details).toMatchObject({ errors: [{ path: 'rate' }] });
    const share = await send('POST', '/partners', { name: 'Acme', commissionRate: 0.1234567 });
    expect(share.body.details).toMatchObject({ errors: [{ path: 'commissionRate' }] });
    expect(asked()).toEqual([]);
    await send('POST', `/partners/${registered()}/wallet/credit`, money('1.010e2'));
    expect(dependencies.heard.at(-1)?.request).toMatchObject({ amount: '101' });
  });

  it('when HEAD asks for a page, then it is answered without its body', async () => {
    const response = await fetch(`http://127.0.0.1:${service.appPort}/ops/v1/partners`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('when bytes are no HTTP, then they are answered in the envelope', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(service.appPort ?? 0, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('error', reject).on('close', () => resolve(text));
      socket.write('hello\r\n\r\n');
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({
      state: 'VALIDATION_FAILED',
      details: { requestId: /X-Request-Id: (\S+)/.exec(answer)?.[1] },
    });
  });

  it('when several fields are wrong, then every fault is told', async () => {
    const answer = await send('POST', '/partners/nobody/wallet/credit', {
      environment: 'moon',
      amount: '10',
      notes: 'a\u0000b',
      extra: 1,
    });
    expect(answer.body.state).toBe('VALIDATION_FAILED');
    const { errors } = answer.body.details as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path).sort()).toEqual([
      'amount',
      'environment',
      'extra',
      'id',
      'idempotencyKey',
      'notes',
    ]);
  });

  it('when a dependency fails, then its error is passed on and a fault of ours tells nothing', async () => {
    dependencies.faults.set('listPartners', new AppError('SERVICE_UNAVAILABLE'));
    const away = await send('GET', '/partners');
    expect([away.status, away.body.state]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});

describe('partners', () => {
  it('when a partner is created, then it is answered once finance has seen it, in the operator’s name', async () => {
    const answer = await send('POST', '/partners', {
      name: 'Acme',
      displayCurrency: 'USD',
      commissionRate: 0.125,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.payload).toMatchObject({ name: 'Acme', commissionRate: 0.125, parentPartnerId: null });
    expect(asked()).toEqual(['createPartner', 'awaitPartnerVersion', 'awaitPartnerSettings']);
    expect(dependencies.heard.map(({ operator }) => operator)).toEqual(['olga', 'olga', 'olga']);
  });

  it('when finance is away, then the change stands and is answered', async () => {
    dependencies.faults.set('awaitPartnerVersion', new AppError('SERVICE_UNAVAILABLE'));
    const answer = await send('PATCH', `/partners/${registered()}`, {
      displayCurrency: null,
      isActive: false,
    });
    expect(answer.status).toBe(200);
    expect(dependencies.heard[0]).toMatchObject({
      method: 'updatePartner',
      request: { displayCurrency: '', isActive: false },
    });
  });

  it('when a credential is made, then its secret is in the answer', async () => {
    const answer = await send('POST', `/partners/${registered()}/credentials`, { environment: 'sandbox' });
    expect(answer.body.payload).toMatchObject({
      clientId: 'pk_1',
      clientSecret: 's3cret',
      environment: 'sandbox',
    });
    const revoked = await send('DELETE', '/credentials/pk_1');
    expect(revoked.body.payload).toMatchObject({ clientId: 'pk_1', environment: 'live' });
  });
});

describe('money', () => {
  const credit = { environment: 'live', amount: 10.5, notes: 'cash', idempotencyKey: 'k-1' };

  it('when a wallet is credited, then the audit entry is there before the money', async () => {
    const answer = await send('POST', `/partners/${registered()}/wallet/credit`, credit);
    expect(answer.body.payload).toMatchObject({ transactionId: 42, amount: 10.5, referenceType: 'Deposit' });
    expect(asked()).toEqual(['getPartner', 'recordAuditEntry', 'creditWallet']);
    expect(dependencies.heard[1]?.request).toMatchObject({ action: 'wallet.credit', operator: 'olga' });
    expect(dependencies.heard[2]?.request).toMatchObject({
      amount: '10.5',
      notes: 'cash',
      idempotencyKey: 'k-1',
    });
  });

  it('when the audit cannot be written, then no money moves', async () => {
    dependencies.faults.set('recordAuditEntry', new AppError('SERVICE_UNAVAILABLE'));
    const answer = await send('POST', `/partners/${registered()}/wallet/credit`, credit);
    expect(answer.body.state).toBe('SERVICE_UNAVAILABLE');
    expect(asked()).not.toContain('creditWallet');
  });

  it('when a statement is made, then the audit comes first and the answer is the whole statement', async () => {
    const partnerId = registered();
    const period = { periodFrom: '2026-01-01T00:00:00Z', periodTo: '2026-02-01T03:00:00+03:00' };
    const answer = await send('POST', '/statements', { partnerId, environment: 'live', ...period });
    expect(answer.body.payload).toMatchObject({
      sequenceNumber: 1,
      locked: true,
      emailStatus: 'Pending',
      periodTo: '2026-02-01T00:00:00.000Z',
      document: { isProvisional: false, lines: [{ transactionId: 42, amount: 10.5 }] },
    });
    expect(asked()).toEqual(['getPartner', 'recordAuditEntry', 'createStatement', 'listStatementLines']);
    expect(dependencies.heard[1]?.request).toMatchObject({ action: 'statement.create', partnerId });
  });

  it('when a statement’s period is unfit, then every fault is told and nothing is made', async () => {
    const body = { partnerId: 'x', environment: 'test', periodFrom: '2026-02-01T00:00:00Z' };
    const unfit = await send('POST', '/statements', { ...body, periodTo: '2026-02-01T00:00:00Z' });
    const { errors } = unfit.body.details as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path).sort()).toEqual(['environment', 'partnerId', 'periodTo']);
    expect((await send('POST', '/statements', body)).body.state).toBe('VALIDATION_FAILED');
    expect(asked()).toEqual([]);
  });

  it('when the partner is unknown, then no wallet is opened', async () => {
    const answer = await send('POST', `/partners/${newId()}/wallet`, { environment: 'live' });
    expect([answer.status, answer.body.state]).toEqual([404, 'NOT_FOUND_PARTNER']);
    expect(asked()).toEqual(['getPartner']);
  });

  it.each([0, -1, 1.005, 1e14])('when a credit is of %s, then it is refused', async (amount) => {
    const answer = await send('POST', `/partners/${registered()}/wallet/credit`, { ...credit, amount });
    expect(answer.body.state).toBe('VALIDATION_FAILED');
  });

  it('when an adjustment is negative, then it is passed on', async () => {
    const answer = await send('POST', `/partners/${registered()}/wallet/adjust`, {
      ...credit,
      amount: -3.25,
    });
    expect(answer.body.payload).toMatchObject({ referenceType: 'Adjustment' });
    expect(dependencies.heard.at(-1)?.request).toMatchObject({ amount: '-3.25' });
  });

  it('when a rate is set, then six decimals are taken and a seventh, SAR or an unknown code is not', async () => {
    const set = await send('PUT', '/rates/USD', { rate: 0.266667 });
    expect(set.body.payload).toMatchObject({ currency: 'USD', rate: 0.266667 });
    expect(asked()).toEqual(['recordAuditEntry', 'setRate']);
    for (const [currency, rate] of [
      ['USD', 0.2666667],
      ['SAR', 1],
      ['XYZ', 1],
      ['USD', 0],
    ] as const) {
      expect((await send('PUT', `/rates/${currency}`, { rate })).body.state).toBe('VALIDATION_FAILED');
    }
  });
});

describe('the catalog', () => {
  const row = {
    id: aVariant.id,
    scentId: aVariant.scentId,
    scentName: 'Layl Oud',
    brandId: aVariant.brandId,
    brandName: 'Maison Qamar',
    warehouse: 'RUH-1',
    sku: 'QMR-LAYL-EDP-050',
    sizeMl: 50,
    listPrice: 210,
    cost: 88.2,
    rrp: null,
    taxClassification: 'STANDARD',
    isSample: false,
    isActive: true,
    stockOnHand: 7,
    stockReserved: 3,
    availability: 'Limited',
    firstOfferedAt: '2026-03-01T10:00:00.000Z',
    restockedAt: null,
  };
  const whole = { ...row, partnerPrices: [{ partnerId: aSummary.partnerId, listPrice: 199.9 }] };

  it('when variants are listed or read, then stock and cost are there, and the filters are passed on', async () => {
    const list = await send('GET', '/variants?availability=Limited&isActive=false&search=oud');
    expect(list.body.payload).toEqual({ items: [row], pagination: expect.anything() });
    expect(dependencies.heard[0]?.request).toMatchObject({
      availability: Availability.LIMITED,
      isActive: false,
      search: 'oud',
    });
    expect((await send('GET', `/variants/${aVariant.id}`)).body.payload).toEqual(whole);
    expect((await send('GET', '/variants?isActive=yes')).body.state).toBe('VALIDATION_FAILED');
  });

  it('when a variant is changed, then the audit comes first and the change is as it was written', async () => {
    const answer = await send(
      'PATCH',
      `/variants/${aVariant.id}`,
      '{"stockOnHand":0,"listPrice":199.50,"rrp":null}',
    );
    expect(answer.body.payload).toEqual(whole);
    expect(asked()).toEqual(['getStockedVariant', 'recordAuditEntry', 'updateVariant']);
    expect(dependencies.heard[1]?.request).toMatchObject({
      action: 'variant.update',
      subject: aVariant.id,
      operator: 'olga',
      detailsJson: '{"stockOnHand":0,"listPrice":"199.5","rrp":null}',
    });
    expect(dependencies.heard[2]?.request).toEqual({
      variantId: aVariant.id,
      stockOnHand: 0,
      listPrice: '199.5',
      rrp: '',
    });
  });

  it('when a change is unfit or the variant unknown, then nothing is recorded', async () => {
    const unfit = await send('PATCH', `/variants/${aVariant.id}`, {
      stockOnHand: -1,
      listPrice: 0,
      cost: -1,
      rrp: 1.001,
      isActive: null,
      sku: 'X',
    });
    expect(unfit.status).toBe(400);
    const { errors } = unfit.body.details as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path).sort()).toEqual(
      ['cost', 'isActive', 'listPrice', 'rrp', 'sku', 'stockOnHand'].sort(),
    );
    expect(asked()).toEqual([]);
    dependencies.faults.set('getStockedVariant', new AppError('NOT_FOUND_VARIANT'));
    expect((await send('PATCH', `/variants/${aVariant.id}`, { cost: 0 })).body.state).toBe(
      'NOT_FOUND_VARIANT',
    );
    expect(asked()).not.toContain('recordAuditEntry');
  });

  it('when a partner’s price is set, then the partner must exist and the audit names both', async () => {
    const partnerId = registered();
    const path = `/variants/${aVariant.id}/partner-prices/${partnerId}`;
    const set = await send('PUT', path, { listPrice: 150.25 });
    expect(set.body.payload).toEqual({
      variantId: aVariant.id,
      partnerId,
      listPrice: 150.25,
      updatedAt: '2026-03-01T10:00:00.000Z',
    });
    expect(dependencies.heard.find(({ method }) => method === 'recordAuditEntry')?.request).toMatchObject({
      action: 'variant.partner-price',
      partnerId,
      subject: aVariant.id,
    });
    const unknown = await send('PUT', `/variants/${aVariant.id}/partner-prices/${newId()}`, { listPrice: 1 });
    expect(unknown.body.state).toBe('NOT_FOUND_PARTNER');
  });

  it('when a brand’s rate is set or cleared, then the brand is answered and audited', async () => {
    const set = await send('PATCH', `/brands/${aVariant.brandId}`, { commissionRate: 0.125 });
    expect(set.body.payload).toEqual({ id: aVariant.brandId, name: 'Maison Qamar', commissionRate: 0.125 });
    expect(asked()).toEqual(['getBrand', 'recordAuditEntry', 'updateBrand']);
    const cleared = await send('PATCH', `/brands/${aVariant.brandId}`, { commissionRate: null });
    expect(cleared.body.payload).toMatchObject({ commissionRate: null });
    expect((await send('PATCH', `/brands/${aVariant.brandId}`, { commissionRate: 1.5 })).status).toBe(400);
    expect((await send('GET', '/brands')).body.payload).toMatchObject({ items: [{ commissionRate: 0.15 }] });
  });
});

describe('orders', () => {
  it('when orders are listed, then the filters are passed on and an unknown status is refused', async () => {
    const answer = await send(
      'GET',
      `/orders?status=InterventionRequired&environment=live&partnerId=${aSummary.partnerId}`,
    );
    expect(answer.body.payload).toMatchObject({
      items: [{ orderGlobalId: 'ORD-1', status: 'InterventionRequired', environment: 'live', amount: 10.5 }],
      pagination: { page: 1, totalCount: 1 },
    });
    expect((await send('GET', '/orders?status=Lost')).body.state).toBe('VALIDATION_FAILED');
    const twice = await send('GET', '/orders?page=1&page=1&partnerId=%ff&other=%ff');
    expect(twice.body.details).toMatchObject({ errors: [{ path: 'page' }, { path: 'partnerId' }] });
  });

  it('when a timeline is read, then saga steps, money and webhooks stand in order of time', async () => {
    const answer = await send('GET', '/orders/ORD-1/timeline');
    const { entries } = answer.body.payload as { entries: { step: string }[] };
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

  it('when dead letters are listed, then each names its partner, environment and order', async () => {
    const answer = await send('GET', '/webhook-deliveries?status=DeadLettered&pageSize=5');
    expect(dependencies.heard[0]?.request).toMatchObject({
      page: { page: 1, pageSize: 5 },
      status: WebhookDeliveryStatus.DEAD_LETTERED,
    });
    expect(answer.body.payload).toMatchObject({
      items: [
        {
          id: aDelivery.id,
          status: 'DeadLettered',
          partnerId: aSummary.partnerId,
          environment: 'live',
          orderGlobalId: 'ORD-1',
        },
      ],
      pagination: { totalCount: 1 },
    });
    expect((await send('GET', '/webhook-deliveries?status=Dead')).body.state).toBe('VALIDATION_FAILED');
  });

  it('when a dead letter is sent again, then the audit names it and its partner before it is sent', async () => {
    const answer = await send('POST', `/webhook-deliveries/${aDelivery.id}/redeliver`);
    expect(answer.body.payload).toMatchObject({ status: 'Pending', eventId: aDelivery.eventId });
    expect(asked()).toEqual(['getAnyWebhookDelivery', 'recordAuditEntry', 'redeliverAnyWebhookDelivery']);
    expect(dependencies.heard[1]).toMatchObject({
      operator: 'olga',
      request: { action: 'webhook-delivery.redeliver', subject: aDelivery.id, partnerId: aSummary.partnerId },
    });
  });

  it('when an order is resolved, then the audit names order and partner before it changes', async () => {
    const answer = await send('POST', '/orders/ORD-1/resolve', {
      outcome: 'Failed',
      notes: 'vendor says no',
    });
    expect(answer.body.payload).toMatchObject({
      orderGlobalId: 'ORD-1',
      status: 'Failed',
      failureCode: 'OPERATOR_DECISION',
    });
    expect(asked()).toEqual(['getOrderTimeline', 'recordAuditEntry', 'resolveOrder']);
    expect(dependencies.heard[1]?.request).toMatchObject({ subject: 'ORD-1', partnerId: aSummary.partnerId });
  });

  it('when an eSIM is resolved as Completed, then the activation data are handed on, and the audit keeps no code', async () => {
    const given = { esimIccid: '8996699000000000007', esimQrCode: 'LPA:1$smdp.example$CODE' };
    const decision = { outcome: 'Completed', notes: 'vendor confirmed' };
    const answer = await send('POST', '/orders/ES-1/resolve', {
      ...decision,
      ...given,
      esimPlanDetails: null,
    });
    expect(answer.body.payload).toMatchObject({
      orderGlobalId: 'ES-1',
      status: 'Completed',
      statusDetail: { productType: 'Esim', statusCode: 'ESIM_SUCCESS' },
      esimQrCode: 'LPA:1$smdp.example$CODE',
      esimPlanDetails: null,
    });
    const [, audit, resolve] = dependencies.heard.map(({ request }) => request as Record<string, string>);
    expect(resolve).toEqual({
      orderGlobalId: 'ES-1',
      outcome: 'ORDER_STATUS_COMPLETED',
      notes: 'vendor confirmed',
      ...given,
    });
    expect(audit?.['detailsJson']).toContain('8996699000000000007');
    expect(audit?.['detailsJson']).not.toContain('LPA');
    const unfit = await send('POST', '/orders/ES-1/resolve', { ...decision, esimQrCode: 'CODE' });
    expect(unfit.body.details).toMatchObject({ errors: [{ path: 'esimQrCode' }] });
  });

  it('when the order cannot take the move, then the conflict is passed on', async () => {
    dependencies.faults.set('reverseOrder', new AppError('CONFLICT_ORDER_STATE'));
    const answer = await send('POST', '/orders/ORD-1/reverse', { notes: 'customer complained' });
    expect([answer.status, answer.body.state]).toEqual([409, 'CONFLICT_ORDER_STATE']);
  });
});

describe('the console', () => {
  it('when the address is opened, then the page comes with its modules and may load nothing from elsewhere', async () => {
    const origin = `http://127.0.0.1:${service.appPort}`;
    const page = await fetch(`${origin}/`);
    expect(page.url).toBe(`${origin}/console/`);
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none';script-src 'self'/);
    const html = await page.text();
    for (const [, file] of html.matchAll(/(?:src|href)="([^"#]+)"/g)) {
      expect((await fetch(`${origin}/console/${file}`)).status).toBe(200);
    }
  });
});

describe('the audit', () => {
  it('when it is read, then entries come as a page with their details', async () => {
    const answer = await send('GET', '/audit?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00%2B03:00');
    expect(answer.body.payload).toMatchObject({
      items: [
        { actorType: 'Operator', operator: 'olga', action: 'wallet.credit', details: { amount: '10.50' } },
      ],
    });
    expect((await send('GET', '/audit?from=yesterday')).body.state).toBe('VALIDATION_FAILED');
  });
});

describe('reconciliation', () => {
  const subjects = (answer: Answer) =>
    (answer.body.payload as { items: { subject: string }[] }).items.map(({ subject }) => subject);

  it('when differences are listed, then the services’ lists follow each other, page by page', async () => {
    const first = await send('GET', '/reconciliation?pageSize=3&open=true');
    expect(subjects(first)).toEqual(['wallets 1', 'wallets 2', 'stock 1']);
    expect(first.body.payload).toMatchObject({
      pagination: { page: 1, pageSize: 3, totalCount: 5, totalPages: 2 },
    });
    expect((first.body.payload as { items: unknown[] }).items[0]).toMatchObject({
      service: 'finance',
      check: 'wallets',
      kind: 'held',
      expected: '1.00',
      found: '2.00',
      firstSeenAt: AT.toISOString(),
      resolvedAt: null,
    });
    expect(dependencies.heard[0]?.request).toMatchObject({ isOpen: true, check: undefined });
    expect(subjects(await send('GET', '/reconciliation?pageSize=3&page=2'))).toEqual(['stock 2', 'stock 3']);
    expect(subjects(await send('GET', '/reconciliation?service=scent-commerce'))).toHaveLength(3);
    expect((await send('GET', '/reconciliation?service=gateway')).status).toBe(400);
  });

  it('when it is run, then every service is, and one that is away does not hide the others', async () => {
    const { body } = await send('POST', '/reconciliation/run');
    expect(body.payload).toMatchObject({ isComplete: true, openDifferences: 5 });
    dependencies.faults.set('run wallets', new AppError('SERVICE_UNAVAILABLE'));
    const half = (await send('POST', '/reconciliation/run')).body.payload;
    expect(half).toMatchObject({ isComplete: false, openDifferences: 3 });
    expect((half as { checks: unknown[] }).checks).toContainEqual(
      expect.objectContaining({ service: 'finance', check: '*', failure: expect.any(String) }),
    );
  });
});
