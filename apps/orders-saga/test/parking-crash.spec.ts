import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { OrderStatus } from '@reseller/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { codeOf, ParkingLot, STEPS } from './parked-scents';
import { bundleOrders, spawnOrders, type OrdersProcess } from './spawn-orders';
import { callOf, createScent, MIGRATIONS, scent, startOrders, type RunningOrders } from './start-orders';

const PARKING = { SAGA_PARK_AFTER_MS: '80', SAGA_BUDGET_MS: '50' };
const [, , SETTLE, COMMIT] = STEPS;

let database: TestDatabase;
let bundle: Awaited<ReturnType<typeof bundleOrders>>;
let finance: FakeFinance;
let shop: FakeShop;
let survivor: RunningOrders;
let lot: ParkingLot;
let doomed: OrdersProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bundle = await bundleOrders();
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  shop = await new FakeShop().start();
  survivor = await startOrders(database, finance, PARKING, { shop });
  lot = new ParkingLot(survivor, finance, shop, database);
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

/** Only the survivor carries on what is left behind, unless the settings say otherwise. */
async function doom(point: CrashPoint, more: Record<string, string> = {}): Promise<OrdersProcess> {
  return (doomed = await spawnOrders(bundle.file, {
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: database.url,
    FINANCE_ADDRESS: finance.address,
    SCENT_COMMERCE_ADDRESS: shop.address,
    RECOVERY_INTERVAL_MS: '60000',
    CRASH_POINT: point,
    ...PARKING,
    ...more,
  }));
}

const lapse = () =>
  database.pool.query('UPDATE sagas SET lease_until = now(), wake_at = now() WHERE lease_until IS NOT NULL');

async function failingSince(): Promise<Date | undefined> {
  const { rows } = await database.pool.query<{ since: Date }>(
    'SELECT failing_since AS since FROM sagas WHERE failures > 0 ORDER BY order_id DESC LIMIT 1',
  );
  return rows[0]?.since;
}

describe('a process killed while an order fails for good (spec §7.3)', () => {
  it('when it dies after a failure is counted, then the count goes on where it was', async () => {
    const call = callOf();
    const request = scent();
    finance.fail('settleOrder', 'INTERNAL_ERROR');
    expect(await codeOf(createScent(await doom('failure.note.after'), request, call))).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(await doomed?.ended).toBe('SIGKILL');
    const since = await failingSince();
    await lapse();
    await lot.parked(request, call);
    expect(since).toBeInstanceOf(Date);
    expect(await failingSince()).toEqual(since);
  });

  it('when it dies after the order is parked, then it is parked and can be decided', async () => {
    const call = callOf();
    const request = scent();
    finance.fail('settleOrder', 'INTERNAL_ERROR');
    await survivor.stop();
    const process = await doom('order.park.after', { RECOVERY_INTERVAL_MS: '20' });
    await createScent(process, request, call).catch(() => undefined);
    expect(await process.ended).toBe('SIGKILL');
    survivor = await startOrders(database, finance, PARKING, { shop });
    lot = new ParkingLot(survivor, finance, shop, database);
    const order = await lot.parked(request, call);
    await lot.resolve(order, OrderStatus.FAILED);
    finance.recover();
    await lot.expectUndone(order, OrderStatus.FAILED, call);
  });
});

describe('a process killed while an order is undone (spec §7.3)', () => {
  it.each<CrashPoint>([
    'decision.record.after',
    'funds.refund.before',
    'funds.refund.after',
    'checkout.cancel.before',
    'checkout.cancel.after',
    'checkout.restock.before',
    'checkout.restock.after',
    'groups.cancel.before',
    'groups.cancel.after',
    'order.end.after',
  ])('when it dies at %s of a committed one, then all of it is undone once', async (point) => {
    const call = callOf();
    const order = await lot.parkBehindEffect(COMMIT, call);
    shop.recover();
    await lot.resolve(order, OrderStatus.FAILED, await doom(point)).catch(() => undefined);
    expect(await doomed?.ended).toBe('SIGKILL');
    await lapse();
    await eventually(async () => {
      const { order: now } = await survivor.scents.getScentOrder(order, call);
      expect(now?.status).toBe(OrderStatus.FAILED);
    });
    await lot.expectUndone(order, OrderStatus.FAILED, call);
    expect(finance.refundsOf(order.orderGlobalId).size).toBe(1);
  });

  it.each<CrashPoint>(['funds.release.before', 'funds.release.after'])(
    'when it dies at %s of one that was not charged, then its hold is free and its cart too',
    async (point) => {
      const call = callOf();
      const order = await lot.park(SETTLE, call);
      finance.recover();
      await lot.resolve(order, OrderStatus.FAILED, await doom(point)).catch(() => undefined);
      expect(await doomed?.ended).toBe('SIGKILL');
      await lapse();
      await eventually(async () => {
        const { order: now } = await survivor.scents.getScentOrder(order, call);
        expect(now?.status).toBe(OrderStatus.FAILED);
      });
      await lot.expectUndone(order, OrderStatus.FAILED, call);
    },
  );
});
