import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { Environment, OrderStatus, type TopupOrder } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCallbackServer } from '../src/clients/vendors/callback/callback-server';
import { adapterOf, ScriptedVendor } from './scripted-vendor';
import { callOf, create, MIGRATIONS, startOrders, topup, type RunningOrders } from './start-orders';

const SECRETS = new Map([
  ['first', 'the-secret-of-first'],
  ['second', 'the-secret-of-second'],
]);

let database: TestDatabase;
let finance: FakeFinance;
let vendor: ScriptedVendor;
let adapter: ReturnType<typeof adapterOf>;
let service: RunningOrders;
let listener: Server;
let call: CallContext;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  vendor = await new ScriptedVendor('first').start();
  adapter = adapterOf(vendor, 1);
  // The poller by itself would come far too late for this test.
  const slow = {
    VENDOR_POLL_BASE_MS: '3600000',
    VENDOR_POLL_CAP_MS: '3600000',
    RECOVERY_INTERVAL_MS: '60000',
  };
  service = await startOrders(database, finance, slow, { live: [adapter] });
  listener = createCallbackServer({
    secrets: SECRETS,
    wake: service.wired.wakeVendorOrder,
    log: silentLog,
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  call = callOf(undefined, Environment.LIVE);
});
afterEach(async () => {
  listener.closeAllConnections();
  await new Promise((resolve) => listener.close(resolve));
  await service.stop();
  await adapter.vendor.close();
  for (const one of [vendor, finance]) await one.stop();
});
afterAll(() => database.drop());

interface Callback {
  readonly path?: string;
  readonly by?: string;
  readonly body?: string;
  readonly signed?: string;
  readonly method?: string;
  readonly time?: number;
}

async function callBack({
  path = '/v1/vendors/first/callbacks',
  by = 'first',
  body = '{}',
  signed = body,
  method = 'POST',
  time = Math.floor(Date.now() / 1_000),
}: Callback): Promise<number> {
  const { port } = listener.address() as AddressInfo;
  const digest = createHmac('sha256', SECRETS.get(by) ?? '')
    .update(`${time}.${signed}`)
    .digest('hex');
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'vendor-signature': `t=${time},v1=${digest}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body }),
  });
  expect(response.headers.get('content-type')).toBe('application/json');
  await response.json();
  return response.status;
}

async function pendingOrder(): Promise<TopupOrder> {
  vendor.submits.push('pending');
  const order = await create(service, topup(), call);
  expect(order.status).toBe(OrderStatus.PROCESSING);
  expect(order.nextPollAt!.getTime()).toBeGreaterThan(Date.now() + 60_000);
  return order;
}

const read = async ({ orderId }: TopupOrder): Promise<TopupOrder> =>
  (await service.topups.getTopupOrder({ orderId }, call)).order!;

const keyOf = ({ orderGlobalId }: TopupOrder): string => JSON.stringify({ idempotencyKey: orderGlobalId });

describe('a vendor’s callback', () => {
  it('when it is signed, then the order is asked for at once, and ends by what the inquiry says', async () => {
    const order = await pendingOrder();
    // What the callback itself claims is not read.
    const body = JSON.stringify({ idempotencyKey: order.orderGlobalId, status: 'refused' });
    expect(await callBack({ body })).toBe(202);
    await eventually(async () =>
      expect(await read(order)).toMatchObject({ status: OrderStatus.COMPLETED, currentRetryCount: 1 }),
    );
    expect(vendor.requests.at(-1)).toBe(`GET ${order.orderGlobalId}`);
    expect(finance.charges()).toBe(1);
  });

  it('when it comes again, for an order that has ended, or for none, then it is accepted and nothing happens', async () => {
    const order = await pendingOrder();
    await callBack({ body: keyOf(order) });
    await eventually(async () => expect((await read(order)).status).toBe(OrderStatus.COMPLETED));
    const requestCount = vendor.requests.length;
    for (const body of [keyOf(order), '{"idempotencyKey":"TU-1"}', '{"idempotencyKey":"no id"}'])
      expect(await callBack({ body })).toBe(202);
    const ended = await read(order);
    expect(ended).toMatchObject({ status: OrderStatus.COMPLETED, currentRetryCount: 1 });
    expect(vendor.requests).toHaveLength(requestCount);
  });

  it.each<[string, (order: TopupOrder) => Callback, number]>([
    ['signed by another vendor', (order) => ({ body: keyOf(order), by: 'second' }), 401],
    ['signed by nobody known', (order) => ({ body: keyOf(order), by: 'nobody' }), 401],
    [
      'of a vendor without a secret',
      (order) => ({ body: keyOf(order), by: '', path: '/v1/vendors/third/callbacks' }),
      401,
    ],
    [
      'for an order of another vendor',
      (order) => ({ body: keyOf(order), by: 'second', path: '/v1/vendors/second/callbacks' }),
      202,
    ],
    ['changed on the way', (order) => ({ body: keyOf(order), signed: '{}' }), 401],
    ['ten minutes old', (order) => ({ body: keyOf(order), time: Math.floor(Date.now() / 1_000) - 600 }), 401],
    ['without a key', () => ({ body: '{}' }), 400],
    ['not JSON', () => ({ body: '{' }), 400],
    ['too large', () => ({ body: ' '.repeat(20_000) }), 413],
    ['a question', () => ({ method: 'GET' }), 405],
    ['at another path', (order) => ({ body: keyOf(order), path: '/v1/vendors/first' }), 404],
  ])('when it is %s, then nobody is called', async (_, callbackFor, status) => {
    const order = await pendingOrder();
    expect(await callBack(callbackFor(order))).toBe(status);
    const { rows } = await database.pool.query<{ due: boolean }>(
      "SELECT wake_at < now() + interval '1 minute' AS due FROM sagas WHERE order_id = $1",
      [order.orderId],
    );
    expect(rows).toEqual([{ due: false }]);
    expect(vendor.count('GET')).toBe(0);
  });
});
