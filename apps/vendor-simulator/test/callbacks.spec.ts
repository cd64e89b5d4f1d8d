import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConfigError, loadConfig, runService, type RunningService } from '@reseller/service-kit';
import { createTestDatabase, eventually } from '@reseller/testing';
import { configSchema } from '../src/config';
import { createParts } from '../src/container';

const KEY = 'a-key-for-tests-only';
const SECRET = 'a-secret-for-callbacks';
const heard: { url: string | undefined; signature: string; body: string }[] = [];
const platform = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    heard.push({ url: request.url, signature: String(request.headers['vendor-signature']), body });
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"accepted":true}');
  });
});

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: RunningService;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: path.resolve(__dirname, '../prisma/migrations') });
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  const { port } = platform.address() as AddressInfo;
  service = await runService(
    { name: 'vendor-simulator', config: configSchema, start: createParts },
    {
      DATABASE_URL: database.serviceUrl,
      VENDOR_API_KEY: KEY,
      VENDOR_CALLBACK_URL: `http://127.0.0.1:${port}/v1/vendors/local-vendor/callbacks`,
      VENDOR_CALLBACK_SECRET: SECRET,
      VENDOR_CALLBACK_AFTER_MS: '1',
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
    },
  );
});
afterAll(async () => {
  await service?.stop();
  platform.closeAllConnections();
  platform.close();
  await database?.drop();
});

const send = async (method: 'GET' | 'POST', url: string, phoneNumber?: string): Promise<string> => {
  const order = { product: 'Topup', phoneNumber, amount: '10.00', currency: 'SAR' };
  const response = await fetch(`http://127.0.0.1:${service.appPort}${url}`, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      'idempotency-key': 'TOP-1',
      'content-type': 'application/json',
    },
    ...(method === 'POST' && { body: JSON.stringify(order) }),
  });
  return ((await response.json()) as { status: string }).status;
};

test('when an order is returned as pending, then a signed callback names its key, until it is decided', async () => {
  expect(await send('POST', '/v1/orders', '+966500000003')).toBe('pending');
  await eventually(() => expect(heard).toHaveLength(1));
  const [{ url, signature, body }] = heard as [(typeof heard)[number]];
  expect(url).toBe('/v1/vendors/local-vendor/callbacks');
  expect(JSON.parse(body)).toEqual({ idempotencyKey: 'TOP-1' });
  const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  expect(Math.abs(Number(time) - Date.now() / 1_000)).toBeLessThan(60);
  expect(digest).toBe(createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'));

  expect(await send('GET', '/v1/orders/TOP-1')).toBe('pending');
  await eventually(() => expect(heard).toHaveLength(2));
  expect(await send('GET', '/v1/orders/TOP-1')).toBe('success');
  expect(await send('GET', '/v1/orders/TOP-1')).toBe('success');
  expect(heard).toHaveLength(2);
});

test('when callbacks have an address but no secret, then the simulator does not start', () => {
  const env = { DATABASE_URL: database.serviceUrl, VENDOR_API_KEY: KEY, VENDOR_CALLBACK_URL: 'http://h/' };
  expect(() => loadConfig(configSchema, env)).toThrow(ConfigError);
  expect(loadConfig(configSchema, { ...env, VENDOR_CALLBACK_SECRET: SECRET })).toBeDefined();
});
