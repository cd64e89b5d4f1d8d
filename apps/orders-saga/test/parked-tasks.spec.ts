import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { OrderStatus, type ParkedWork } from '@reseller/contracts';
import { codeOf, createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { PaidOrder } from './fulfillment';
import { ANY_ORDER, callOf, MIGRATIONS, operator, startOrders, type RunningOrders } from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
let shop: FakeShop;
let service: RunningOrders;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  shop = await new FakeShop().start();
  service = await startOrders(database, finance, { SAGA_PARK_AFTER_MS: '80' }, { shop });
});
afterEach(async () => {
  await service.stop();
  await shop.stop();
  await finance.stop();
});
afterAll(() => database.drop());

async function parkedOf({ made: { orderGlobalId } }: PaidOrder): Promise<ParkedWork[]> {
  const { summary } = await service.operations.getOrderTimeline({ orderGlobalId }, operator);
  return summary?.parked ?? [];
}

const isParked = (order: PaidOrder, work: Partial<ParkedWork>): Promise<void> =>
  eventually(async () => expect(await parkedOf(order)).toMatchObject([work]));

describe('what an operator decided of a paid scent order and fails for good (spec §7.3, §8.2)', () => {
  it.each([
    ['finance', 'refundUnits'],
    ['the shop', 'restockUnits'],
  ] as const)(
    'when cancelling a group fails at %s (%s), then it is parked, and cancelling it again carries it out once',
    async (who, method) => {
      const order = await PaidOrder.place(service, callOf());
      const dependency = who === 'finance' ? finance : shop;
      dependency.fail(method, 'INTERNAL_ERROR');
      expect(await codeOf(order.cancel(0))).toBe('INTERNAL_ERROR');
      await isParked(order, {
        step: 'operator.cancel-group',
        code: 'INTERNAL_ERROR',
        subjectId: order.groupId(0),
      });
      const { orders } = await service.operations.listAllOrders(
        { ...ANY_ORDER, partnerId: order.made.partnerId, parked: true },
        operator,
      );
      expect(orders.map(({ orderId, status }) => [orderId, status])).toEqual([
        [order.made.orderId, OrderStatus.PROCESSING],
      ]);
      // Nobody tries it any more.
      const tries = dependency.calls[method];
      dependency.recover();
      expect(await codeOf(order.ship(0))).toBe('CONFLICT_FULFILLMENT_GROUP_STATUS');
      expect(dependency.calls[method]).toBe(tries);

      await order.cancel(0);
      expect(await parkedOf(order)).toEqual([]);
      expect((await order.state())[1]).toEqual(['CANCELLED', 'PENDING']);
      expect(finance.refundsOf(order.made.orderGlobalId).size).toBe(1);
      expect([...shop.restocked.keys()]).toEqual([order.groupId(0)]);
    },
  );

  it('when an approved return fails for good, then it is parked, and approving it again refunds it once', async () => {
    const order = await PaidOrder.place(service, callOf());
    await order.handOver(0);
    const { returnRequestId } = await order.requestReturn(0, 1);
    finance.fail('refundUnits', 'lost-reply', 1);
    // Of this order, that is every try after the first, however soon it comes.
    finance.fail('refundUnits', 'INTERNAL_ERROR', Number.POSITIVE_INFINITY, order.made.orderGlobalId);
    expect(await codeOf(order.approve(returnRequestId))).toBe('INTERNAL_ERROR');
    await isParked(order, { step: 'operator.approve-return', subjectId: returnRequestId });
    finance.recover();
    await order.approve(returnRequestId);
    expect((await order.state())[2]).toEqual([1, 0]);
    expect(finance.refundsOf(order.made.orderGlobalId).size).toBe(1);
    expect(await parkedOf(order)).toEqual([]);
  });

  it('when finance is only away in between, then failures are counted anew (spec §4.7)', async () => {
    const order = await PaidOrder.place(service, callOf());
    const failures = async (): Promise<unknown> => {
      const values = [order.groupId(0)];
      const { rows } = await database.pool.query(
        'SELECT failures FROM order_tasks WHERE subject_id = $1',
        values,
      );
      return rows[0]?.failures;
    };
    const fail = finance.hold('refundUnits');
    const cancelled = codeOf(order.cancel(0));
    await eventually(() => expect(finance.calls['refundUnits']).toBe(1));
    finance.fail('refundUnits', 'INTERNAL_ERROR', 1);
    fail();
    // The next try waits until the failure was seen.
    const goOn = finance.hold('refundUnits');
    expect(await cancelled).toBe('INTERNAL_ERROR');
    expect(await failures()).toBe(1);
    finance.fail('refundUnits', 'SERVICE_UNAVAILABLE');
    goOn();
    await eventually(async () => expect(await failures()).toBe(0));
    finance.recover();
    await eventually(async () => expect((await order.state())[1][0]).toBe('CANCELLED'));
  });

  it('when the wallet is short for a clawback, then that is waited for and never parked', async () => {
    const order = await PaidOrder.place(service, callOf());
    finance.fail('refundUnits', 'BUSINESS_INSUFFICIENT_BALANCE');
    expect(await codeOf(order.cancel(0))).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    const tries = finance.calls['refundUnits'] ?? 0;
    await eventually(() => expect(finance.calls['refundUnits']).toBeGreaterThan(tries + 2));
    expect(await parkedOf(order)).toEqual([]);
    finance.recover();
    await eventually(async () => expect((await order.state())[1][0]).toBe('CANCELLED'));
  });
});
