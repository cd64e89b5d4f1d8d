import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { TASK_POINTS } from './crash-cells';
import { codeOf, PaidOrder, storyOf } from './fulfillment';
import { bundleOrders, spawnOrders, type OrdersProcess } from './spawn-orders';
import { callOf, MIGRATIONS, operator, startOrders, type RunningOrders } from './start-orders';

// No lease ends by time in here: what a process leaves behind is carried on since it is gone.
const LEASES = { SAGA_LEASE_MS: '3600000', TASK_LEASE_MS: '3600000', OWNER_GRACE_MS: '100' };

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
  survivor = await startOrders(database, finance, LEASES, { shop });
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
  order: PaidOrder,
  act: (order: PaidOrder) => Promise<unknown>,
): Promise<void> {
  doomed = await spawnOrders(bundle.file, {
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: database.url,
    FINANCE_ADDRESS: finance.address,
    SCENT_COMMERCE_ADDRESS: shop.address,
    // Only the survivor carries on what is left behind.
    RECOVERY_INTERVAL_MS: '60000',
    CRASH_POINT: point,
    ...LEASES,
  });
  expect(await codeOf(act(order.through(doomed)))).toBe('SERVICE_UNAVAILABLE');
  expect(await doomed.ended).toBe('SIGKILL');
}
const GOODS_POINTS: readonly CrashPoint[] = TASK_POINTS.filter(
  (point) => point.startsWith('units.restock') || point.startsWith('redemption'),
);

describe('a process killed while it carries out what an operator decided (spec §7.3, §8.2)', () => {
  it.each(TASK_POINTS)(
    'when it dies at %s of cancelling the last group, then money, units and discount come back once',
    async (point) => {
      const order = await PaidOrder.place(survivor, callOf());
      await order.cancel(0);
      await dieAt(point, order, (one) => one.cancel(1));
      // Nothing was decided yet: the operator decides again. Else it follows by itself.
      if (point === 'task.record.before') await order.cancel(1);
      await eventually(async () =>
        expect(await order.state()).toEqual(['CANCELLED', ['CANCELLED', 'CANCELLED'], [0, 0]]),
      );
      expect(await codeOf(order.cancel(1))).toBe('CONFLICT_FULFILLMENT_GROUP_STATUS');
      const refunds = [...finance.refundsOf(order.made.orderGlobalId).values()];
      expect(refunds.map(({ refundedAmount }) => refundedAmount)).toEqual(['230.00', '40.00']);
      const [charged, ...refunded] = finance.decisionsOf(order.made.orderGlobalId);
      const decided = { operator: operator.operator, requestId: operator.requestId, approvedBy: undefined };
      expect(charged).toBeUndefined();
      expect(refunded.length).toBeGreaterThanOrEqual(2);
      for (const one of refunded) expect(one).toEqual(decided);
      expect([...shop.restocked.keys()]).toEqual([order.groupId(0), order.groupId(1)]);
      expect(shop.givenBack.has(order.made.orderGlobalId)).toBe(true);
      expect(await storyOf(database, order.made.orderId)).toEqual([
        'FulfillmentGroupChanged PROCESSING CANCELLED 0/2',
        'FulfillmentGroupChanged CANCELLED CANCELLED 0/2',
        'OrderCancelled CANCELLED 270.00',
      ]);
    },
  );

  it.each(TASK_POINTS.filter((point) => !GOODS_POINTS.includes(point)))(
    'when it dies at %s of approving a return, then it is refunded and published once',
    async (point) => {
      const order = await PaidOrder.place(survivor, callOf());
      await order.handOver(0, 1);
      const { returnRequestId } = await order.requestReturn(0, 1);
      await dieAt(point, order, (one) => one.approve(returnRequestId));
      if (point === 'task.record.before') await order.approve(returnRequestId);
      await eventually(async () => expect((await order.state())[2]).toEqual([1, 0]));
      expect(await codeOf(order.approve(returnRequestId))).toBe('CONFLICT_RETURN_REQUEST_DECIDED');
      expect([...finance.refundsOf(order.made.orderGlobalId).keys()]).toEqual([`return:${returnRequestId}`]);
      expect((await storyOf(database, order.made.orderId)).slice(-2)).toEqual([
        'OrderReturned PARTIALLY_RETURNED 115.00',
        'ReturnRequestChanged PARTIALLY_RETURNED APPROVED',
      ]);
    },
  );
});
