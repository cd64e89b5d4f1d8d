import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { OrderStatus } from '@reseller/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { PRODUCTS } from './products';
import { bundleOrders, spawnOrders, type OrdersProcess } from './spawn-orders';
import { callOf, create, MIGRATIONS, startOrders, topup, type RunningOrders } from './start-orders';

// No lease ends by time in here.
const LEASES = { SAGA_LEASE_MS: '3600000', OWNER_GRACE_MS: '300', OWNER_LOOK_MS: '50' };

let database: TestDatabase;
let bundle: Awaited<ReturnType<typeof bundleOrders>>;
let finance: FakeFinance;
let survivor: RunningOrders;
let other: OrdersProcess;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bundle = await bundleOrders();
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  survivor = await startOrders(database, finance, LEASES);
  await eventually(async () => expect(await owners()).toBe(1));
});
afterEach(async () => {
  await other.stop();
  await survivor.stop();
  // Also one that was killed, which the next test would take for its survivor.
  await database.pool.query('DELETE FROM saga_owners');
  await finance.stop();
});
afterAll(async () => {
  await bundle.remove();
  await database.drop();
});

async function spawn(env: Record<string, string> = {}): Promise<void> {
  other = await spawnOrders(bundle.file, {
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: database.url,
    FINANCE_ADDRESS: finance.address,
    SCENT_COMMERCE_ADDRESS: '127.0.0.1:1',
    ...LEASES,
    ...env,
  });
  // It is on record before it serves: else its first orders would wait for their leases to lapse when it dies.
  expect(await owners()).toBe(2);
}

const owners = async (): Promise<number> =>
  (await database.pool.query('SELECT FROM saga_owners')).rowCount ?? 0;

const leaseOf = async (orderId: string): Promise<object> =>
  (
    await database.pool.query<{ lease_epoch: string; attempts: number }>(
      'SELECT lease_epoch, attempts FROM sagas WHERE order_id = $1',
      [orderId],
    )
  ).rows[0]!;

describe('the liveness of an instance (ADR 0011)', () => {
  it('when it is killed, then its orders are carried on though their leases have not lapsed', async () => {
    await spawn({ CRASH_POINT: 'vendor.submit.after' });
    const call = callOf();
    const attempt = PRODUCTS[0]!.attempt();
    await expect(attempt.create(other, call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const order = await attempt.create(survivor, call);
    expect(order.status).toBe(OrderStatus.COMPLETED);
    expect([finance.charges(), finance.available()]).toEqual([1, '990.00']);
    expect(await leaseOf(order.orderId)).toEqual({ lease_epoch: '2', attempts: 1 });
    await eventually(async () => expect(await owners()).toBe(1));
  });

  it('when it stands still, then its orders stay its own until their leases lapse', async () => {
    await spawn();
    const call = callOf();
    const open = finance.hold('captureFunds');
    const body = topup();
    const late = create(other, body, call);
    await eventually(() => expect(finance.calls['captureFunds']).toBeGreaterThan(0));
    other.child.kill('SIGSTOP');
    // Many looks and several graces later.
    await eventually(async () => {
      const { rows } = await database.pool.query<{ passed: boolean }>(
        `SELECT clock_timestamp() - max(recorded_at) > '1.5 s' AS passed FROM saga_steps`,
      );
      expect(rows[0]!.passed).toBe(true);
    });
    open();
    other.child.kill('SIGCONT');
    const order = await late;
    expect(order.status).toBe(OrderStatus.COMPLETED);
    expect(await leaseOf(order.orderId)).toEqual({ lease_epoch: '1', attempts: 0 });
  });

  it('when its session is cut and it is back within the grace, then it keeps its orders', async () => {
    // However slow the machine is, it is back in time.
    await survivor.stop();
    survivor = await startOrders(database, finance, { ...LEASES, OWNER_GRACE_MS: '3600000' });
    await eventually(async () => expect(await owners()).toBe(1));
    await spawn();
    const call = callOf();
    const open = finance.hold('captureFunds');
    const late = create(other, topup(), call);
    await eventually(() => expect(finance.calls['captureFunds']).toBeGreaterThan(0));
    const sessions = `SELECT pid FROM pg_stat_activity WHERE application_name = 'orders-saga-liveness' AND datname = current_database()`;
    const before = await database.pool.query<{ pid: number }>(sessions);
    await database.pool.query(`SELECT pg_terminate_backend(pid) FROM (${sessions}) AS cut`);
    await eventually(async () => {
      const now = (await database.pool.query<{ pid: number }>(sessions)).rows.map(({ pid }) => pid);
      expect(now).toHaveLength(before.rows.length);
      for (const { pid } of before.rows) expect(now).not.toContain(pid);
    });
    open();
    const order = await late;
    expect(order.status).toBe(OrderStatus.COMPLETED);
    expect(await leaseOf(order.orderId)).toEqual({ lease_epoch: '1', attempts: 0 });
    expect(await owners()).toBe(2);
  });

  it('when it stops as it should, then it is off the record and nothing was taken for a crash', async () => {
    await spawn();
    const ended = other.ended;
    other.child.kill('SIGTERM');
    expect(await ended).toBeNull();
    expect(await owners()).toBe(1);
  });
});
