import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ConfigError, loadConfig } from '@reseller/service-kit';
import { eventually } from '@reseller/testing';
import { configSchema } from '../src/config';
import { KEY, SECRET, startSimulator } from './simulator-with-callbacks';

const TARGET = '/v1/vendors/local-vendor/callbacks';
let simulator: Awaited<ReturnType<typeof startSimulator>>;
beforeAll(async () => {
  simulator = await startSimulator(TARGET);
});
afterAll(() => simulator.stop());

const send = async (method: 'GET' | 'POST', url: string, phoneNumber?: string): Promise<string> => {
  const order = { product: 'Topup', phoneNumber, amount: '10.00', currency: 'SAR' };
  const response = await fetch(`http://127.0.0.1:${simulator.service.appPort}${url}`, {
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
  await eventually(() => expect(simulator.callbacks).toHaveLength(1));
  const [{ request, body }] = simulator.callbacks as [(typeof simulator.callbacks)[number]];
  expect(request.url).toBe(TARGET);
  expect(JSON.parse(body)).toEqual({ idempotencyKey: 'TOP-1' });
  const [, time, digest] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['vendor-signature'])) ?? [];
  expect(Math.abs(Number(time) - Date.now() / 1_000)).toBeLessThan(60);
  expect(digest).toBe(createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'));

  expect(await send('GET', '/v1/orders/TOP-1')).toBe('pending');
  await eventually(() => expect(simulator.callbacks).toHaveLength(2));
  expect(await send('GET', '/v1/orders/TOP-1')).toBe('success');
  expect(await send('GET', '/v1/orders/TOP-1')).toBe('success');
  expect(simulator.callbacks).toHaveLength(2);
});

test('when callbacks have an address but no secret, then the simulator does not start', () => {
  const env = {
    DATABASE_URL: simulator.database.serviceUrl,
    VENDOR_API_KEY: KEY,
    VENDOR_CALLBACK_URL: 'http://h/',
  };
  expect(() => loadConfig(configSchema, env)).toThrow(ConfigError);
  expect(loadConfig(configSchema, { ...env, VENDOR_CALLBACK_SECRET: SECRET })).toBeDefined();
});
