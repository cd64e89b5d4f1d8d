import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runService } from '@reseller/service-kit';
import type { RunningService } from '@reseller/service-kit';
import { createTestDatabase } from '@reseller/testing';
import { OUTCOMES, VENDOR_SIMULATION_SQL } from '@reseller/vendor-simulation';
import { configSchema } from '../src/config';
import { createVendorSimulator } from '../src/container';

const migrations = path.resolve(__dirname, '../prisma/migrations');
const apiKey = 'a-key-for-tests-only';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: RunningService;
let count = 0;

beforeAll(async () => {
  database = await createTestDatabase({ migrations });
  service = await runService(
    { name: 'vendor-simulator', config: configSchema, start: createVendorSimulator },
    { DATABASE_URL: database.serviceUrl, VENDOR_API_KEY: apiKey, LOG_LEVEL: 'silent', NODE_ENV: 'test' },
  );
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

const order = { product: 'Topup', phoneNumber: '+966500001234', amount: '10.00', currency: 'SAR' };

function send(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${service.appPort}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${apiKey}`, ...init.headers },
  });
}
function newKey(): string {
  count += 1;
  return `TOP-${process.pid}-${count}`;
}
function submit(key: string, body: unknown = order): Promise<Response> {
  return send('/v1/orders', {
    method: 'POST',
    headers: { 'idempotency-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
async function journalOf(key: string): Promise<Record<string, unknown> | undefined> {
  for (let afterSeq: string | null = '0'; afterSeq !== null;) {
    const response: Response = await send(`/v1/journal?limit=5&afterSeq=${afterSeq}`);
    const page = (await response.json()) as {
      entries: Record<string, unknown>[];
      nextAfterSeq: string | null;
    };
    const found = page.entries.find((entry) => entry.idempotencyKey === key);
    if (found) return found;
    afterSeq = page.nextAfterSeq;
  }
  return undefined;
}

describe('orders over HTTP', () => {
  test('when an order is placed, then it succeeds, is found again, and stands delivered in the journal', async () => {
    const key = newKey();
    const placed = await submit(key);
    expect(placed.status).toBe(200);
    const reply = await placed.json();
    expect(reply).toEqual({
      idempotencyKey: key,
      status: 'success',
      vendorOrderId: expect.any(String),
      reason: null,
      activation: null,
    });
    expect(await (await submit(key)).json()).toEqual(reply);
    expect(await (await send(`/v1/orders/${key}`)).json()).toEqual(reply);
    expect(await journalOf(key)).toMatchObject({
      submissions: 2,
      inquiries: 1,
      deliveredAt: expect.any(String),
    });
  });

  test('when an eSIM is placed, then its activation data come along', async () => {
    const esim = {
      product: 'Esim',
      email: 'a@example.com',
      productSku: 'ESIM-SA-5',
      amount: '35',
      currency: 'SAR',
    };
    const reply = (await (await submit(newKey(), esim)).json()) as {
      activation: { activationCode: string };
    };
    expect(reply.activation.activationCode).toMatch(/^LPA:1\$/);
  });

  test('when the vendor is out, then three submissions are 503, the look-up is 404, and the fourth succeeds', async () => {
    const key = newKey();
    const body = { ...order, phoneNumber: '+966500000002' };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const response = await submit(key, body);
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { error: { code: 'UNAVAILABLE', taken: false } },
      ]);
      const lookedUp = await send(`/v1/orders/${key}`);
      expect([lookedUp.status, await lookedUp.json()]).toMatchObject([
        404,
        { error: { code: 'ORDER_NOT_FOUND' } },
      ]);
    }
    expect(await (await submit(key, body)).json()).toMatchObject({ status: 'success' });
  });

  test('when the connection drops, then no response arrives, yet the order is delivered and the look-up says so', async () => {
    const key = newKey();
    await expect(submit(key, { ...order, phoneNumber: '+966500000006' })).rejects.toThrow(/fetch failed/);
    expect(await (await send(`/v1/orders/${key}`)).json()).toMatchObject({ status: 'success' });
    expect(await journalOf(key)).toMatchObject({ submissions: 1, deliveredAt: expect.any(String) });
  });

  test.each([
    ['0001', 'refused'],
    ['0003', 'pending'],
    ['0004', 'pending'],
    ['0005', 'unknown'],
  ])('when the number ends in %s, then the response is %s', async (ending, status) => {
    const reply = await submit(newKey(), { ...order, phoneNumber: `+96650000${ending}` });
    expect([reply.status, await reply.json()]).toMatchObject([200, { status }]);
  });

  test('when a caller leaves a slow order, then the simulator goes on serving and has it delivered', async () => {
    const key = newKey();
    const abort = new AbortController();
    const body = JSON.stringify({ ...order, phoneNumber: '+966500000007' });
    const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
    const reply = send('/v1/orders', { method: 'POST', headers, body, signal: abort.signal });
    while ((await journalOf(key)) === undefined);
    abort.abort();
    await expect(reply).rejects.toThrow(/abort/i);
    expect(await (await submit(key, JSON.parse(body))).json()).toMatchObject({ status: 'success' });
  });
});

describe('requests that are refused', () => {
  test('when a key comes again with other values, then 409 and nothing changes', async () => {
    const key = newKey();
    await submit(key);
    const response = await submit(key, { ...order, amount: '11.00' });
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    ]);
    expect(await journalOf(key)).toMatchObject({ submissions: 1, amount: '10.00' });
  });

  test('when several fields are unfit, then all of them are named', async () => {
    const response = await submit('bad key', { product: 'Topup', phoneNumber: '0500', amount: 10, extra: 1 });
    const { error } = (await response.json()) as { error: { code: string; faults: { path: string }[] } };
    expect([response.status, error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(error.faults.map((fault) => fault.path).sort()).toEqual([
      '',
      'Idempotency-Key',
      'amount',
      'currency',
      'phoneNumber',
    ]);
  });

  const json = { 'content-type': 'application/json', 'idempotency-key': 'TOP-x' };
  test.each<[string, string, RequestInit, number, string]>([
    ['no key of the API', '/v1/orders/TOP-1', { headers: { authorization: '' } }, 401, 'UNAUTHORIZED'],
    [
      'a wrong key of the API',
      '/v1/journal',
      { headers: { authorization: 'Bearer x' } },
      401,
      'UNAUTHORIZED',
    ],
    ['an unknown path', '/v1/else', {}, 404, 'ROUTE_NOT_FOUND'],
    ['another method', '/v1/orders', { method: 'PUT' }, 405, 'METHOD_NOT_ALLOWED'],
    ['broken JSON', '/v1/orders', { method: 'POST', headers: json, body: '{' }, 400, 'MALFORMED_JSON'],
    ['a body of text', '/v1/orders', { method: 'POST', body: 'x' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no body', '/v1/orders', { method: 'POST' }, 400, 'INVALID_REQUEST'],
    ['a list as body', '/v1/orders', { method: 'POST', headers: json, body: '[]' }, 400, 'INVALID_REQUEST'],
    [
      'a huge body',
      '/v1/orders',
      { method: 'POST', headers: json, body: ' '.repeat(17_000) },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['a broken path', '/v1/orders/%E0%A4', {}, 400, 'MALFORMED_JSON'],
    ['an unfit page', '/v1/journal?limit=0', {}, 400, 'INVALID_REQUEST'],
  ])(
    'when a request has %s, then the error has the contract’s shape',
    async (_what, url, init, status, code) => {
      const response = await send(url, init);
      expect([response.status, await response.json()]).toEqual([
        status,
        { error: expect.objectContaining({ code, message: expect.any(String) }) },
      ]);
    },
  );
});

test('when the simulator’s health is read, then no key is needed', async () => {
  for (const url of ['/healthz', '/readyz', '/metrics']) {
    expect((await fetch(`http://127.0.0.1:${service.appPort}${url}`)).status).toBe(200);
  }
});

test('when the library’s table changes, then a migration must follow', () => {
  const file = path.join(migrations, '20261122000000_baseline/migration.sql');
  expect(readFileSync(file, 'utf8')).toBe(VENDOR_SIMULATION_SQL);
  expect(OUTCOMES).toHaveLength(7);
});
