import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { Environment, OrderStatus, type VendorHealth } from '@reseller/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { adapterOf, ScriptedVendor } from './scripted-vendor';
import { callOf, create, MIGRATIONS, operator, startOrders, topup, type RunningOrders } from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
let orders: RunningOrders;
let vendor: ScriptedVendor;
let adapter: ReturnType<typeof adapterOf>;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  finance = await new FakeFinance('1000.00').start();
  vendor = await new ScriptedVendor('acme').start();
  adapter = adapterOf(vendor, 1);
  orders = await startOrders(database, finance, {}, { live: [adapter], withRecovery: false });
});
afterAll(async () => {
  await orders.stop();
  await adapter.vendor.close();
  await vendor.stop();
  await finance.stop();
  await database.drop();
});

const healthIn = async (environment: Environment, toAt = new Date(Date.now() + 60_000)) => {
  const { vendors } = await orders.operations.getOrderOverview(
    { environment, fromAt: new Date(0), toAt },
    operator,
  );
  return vendors;
};

it('when a vendor delivers, refuses and goes away, then the overview has each call by what came of it, and the order that waits', async () => {
  const silent: VendorHealth = { name: 'acme', calls: 0, responses: 0, refusals: 0, waitingOrders: 0 };
  expect(await healthIn(Environment.LIVE)).toEqual([silent]);
  const before = new Date();
  const call = callOf(undefined, Environment.LIVE);
  vendor.submits.push('well', 'refuse');
  expect((await create(orders, topup(), call)).status).toBe(OrderStatus.COMPLETED);
  expect((await create(orders, topup(), call)).status).toBe(OrderStatus.FAILED);
  await vendor.stop();
  expect((await create(orders, topup(), call)).status).toBe(OrderStatus.PROCESSING);
  const [health] = await eventually(async () => {
    const seen = await healthIn(Environment.LIVE);
    expect(seen[0]?.calls).toBeGreaterThanOrEqual(3);
    return seen;
  });
  expect(health).toMatchObject({ name: 'acme', responses: 2, refusals: 1, waitingOrders: 1 });
  expect(health?.p99Ms).toBeGreaterThanOrEqual(health?.p50Ms ?? Infinity);
  // Of the time before there are none; what waits is of now.
  expect(await healthIn(Environment.LIVE, before)).toEqual([{ ...silent, waitingOrders: 1 }]);
  expect(await healthIn(Environment.SANDBOX)).toEqual([{ ...silent, name: 'simulator' }]);
});
