import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { OrderStatus } from '@reseller/contracts';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { SCENT_POINTS } from './crash-cells';
import { bundleOrders, spawnOrders, type OrdersProcess } from './spawn-orders';
import {
  callOf,
  createScent,
  eventsOf,
  MIGRATIONS,
  scent,
  startOrders,
  type RunningOrders,
} from './start-orders';

let database: TestDatabase;
let bundle: Awaited<ReturnType<typeof bundleOrders>>;
let finance: FakeFinance;
let shop: FakeShop;
let survivor: RunningOrders;
let doomed: OrdersProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bundle = await bundleOrders();
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  shop = await new FakeShop().start();
  survivor = await startOrders(database, finance, {}, { shop });
});
afterEach(async () => {
  await doomed?.stop();
  await survivor.stop();
  await shop.stop();
  await finance.stop();
});
afterAll(async () => {
  await bundle.remove();
  await database.drop();
});

async function dieAt(
  point: CrashPoint,
  request: ReturnType<typeof scent>,
  call: ReturnType<typeof callOf>,
): Promise<void> {
  doomed = await spawnOrders(bundle.file, {
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: database.url,
    FINANCE_ADDRESS: finance.address,
    SCENT_COMMERCE_ADDRESS: shop.address,
    // Only the survivor carries on what is left behind.
    RECOVERY_INTERVAL_MS: '60000',
    CRASH_POINT: point,
  });
  await expect(createScent(doomed, request, call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await doomed.ended).toBe('SIGKILL');
  await database.pool.query(
    'UPDATE sagas SET lease_until = now(), wake_at = now() WHERE lease_until IS NOT NULL',
  );
}

async function expectOneOrder(
  request: ReturnType<typeof scent>,
  call: ReturnType<typeof callOf>,
): Promise<void> {
  const order = await createScent(survivor, request, call);
  expect(order.status).toBe(OrderStatus.PROCESSING);
  expect(await createScent(survivor, request, call)).toEqual(order);
  const { rows } = await database.pool.query('SELECT FROM orders WHERE partner_id = $1', [
    call.partner?.partnerId,
  ]);
  expect(rows).toHaveLength(1);
  expect(finance.settlements.size).toBe(1);
  expect(finance.available()).toBe('757.60');
  expect([shop.count('committed'), shop.count('begun')]).toEqual([1, 0]);
  expect(await eventsOf(database, order.orderId)).toEqual(['OrderProcessingStarted']);
}

const UNDONE: readonly CrashPoint[] = [
  'checkout.cancel.before',
  'checkout.cancel.after',
  'order.withdraw.before',
  'order.withdraw.after',
];
const PAID: readonly CrashPoint[] = [
  'order.create.before',
  'order.create.after',
  'funds.reserve.before',
  'funds.reserve.after',
  ...SCENT_POINTS.filter((point) => !UNDONE.includes(point)),
  'order.end.after',
];

describe('a process killed at a boundary of the saga of a scent order (spec §7.2)', () => {
  it.each(PAID)(
    'when it dies at %s, then the repeated create returns one order, charged once, from one checkout',
    async (point) => {
      const call = callOf();
      const request = scent();
      await dieAt(point, request, call);
      await expectOneOrder(request, call);
    },
  );

  it.each(UNDONE)(
    'when it dies at %s of a refused one, then the cart is free again and the next create takes it',
    async (point) => {
      const call = callOf();
      const request = scent();
      finance.fail('reserveFunds', 'BUSINESS_INSUFFICIENT_BALANCE', 1);
      await dieAt(point, request, call);
      await expectOneOrder(request, call);
    },
  );
});
