import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { CheckoutServiceService, OrderStatus } from '@reseller/contracts';
import { codeOf, createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { ParkingLot, STEPS } from './parked-scents';
import {
  callOf,
  createScent,
  eventsOf,
  MIGRATIONS,
  operator,
  scent,
  startOrders,
  type RunningOrders,
} from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
let shop: FakeShop;
let service: RunningOrders;
let lot: ParkingLot;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  shop = await new FakeShop().start();
  service = await startOrders(
    database,
    finance,
    { SAGA_PARK_AFTER_MS: '80', SAGA_BUDGET_MS: '50' },
    { shop },
  );
  lot = new ParkingLot(service, finance, shop, database);
});
afterEach(async () => {
  await service.stop();
  await shop.stop();
  await finance.stop();
});
afterAll(() => database.drop());

describe.each(STEPS)('a scent order that fails for good at $step (spec §7.3)', (at) => {
  it('when it has failed for the time of the setting, then it needs an operator, its money and goods stay, and a repeat says so', async () => {
    const call = callOf();
    const request = scent();
    const order = await lot.park(at, call, request);
    expect(finance.available()).toBe(at.held);
    await expect(createScent(service, request, call)).rejects.toMatchObject({
      code: 'CONFLICT_ORDER_INTERVENTION_REQUIRED',
      details: { orderId: order.orderId },
    });
    expect(await eventsOf(database, order.orderId)).toEqual([]);
    for (const { fulfillmentGroupId } of order.fulfillmentGroups) {
      const shipped = service.fulfillment.shipFulfillmentGroup({ fulfillmentGroupId }, operator);
      expect(await codeOf(shipped)).toBe('CONFLICT_FULFILLMENT_GROUP_STATUS');
    }
  });

  it('when it is resolved as Completed once that works again, then it is carried on and charged once', async () => {
    const call = callOf();
    const request = scent();
    const order = await lot.park(at, call, request);
    lot.failingAt(at).recover();
    expect((await lot.resolve(order, OrderStatus.COMPLETED)).order?.product?.value).toMatchObject({
      status: OrderStatus.PROCESSING,
    });
    expect(finance.available()).toBe('757.60');
    expect([shop.count('committed'), shop.count('begun')]).toEqual([1, 0]);
    expect((await createScent(service, request, call)).orderId).toBe(order.orderId);
    expect(await eventsOf(database, order.orderId)).toEqual(['OrderProcessingStarted']);
  });

  it('when it is resolved as Completed and fails again, then it is parked again and can be decided otherwise', async () => {
    const call = callOf();
    const order = await lot.park(at, call);
    expect(['CONFLICT_ORDER_STATE', 'SERVICE_UNAVAILABLE']).toContain(
      await codeOf(lot.resolve(order, OrderStatus.COMPLETED)),
    );
    await eventually(() => lot.resolve(order, OrderStatus.FAILED));
    lot.failingAt(at).recover();
    await lot.expectUndone(order, OrderStatus.FAILED, call);
  });

  it('when it is resolved as Failed, then all of it is undone and the cart is free', async () => {
    const call = callOf();
    const order = await lot.park(at, call);
    expect((await lot.resolve(order, OrderStatus.FAILED)).order?.product?.value).toMatchObject({
      status: OrderStatus.FAILED,
    });
    lot.failingAt(at).recover();
    await lot.expectUndone(order, OrderStatus.FAILED, call);
    expect(await codeOf(lot.resolve(order, OrderStatus.COMPLETED))).toBe('CONFLICT_ORDER_STATE');
    for (const { fulfillmentGroupId } of order.fulfillmentGroups) {
      expect(await codeOf(service.fulfillment.shipFulfillmentGroup({ fulfillmentGroupId }, operator))).toBe(
        'CONFLICT_FULFILLMENT_GROUP_STATUS',
      );
    }
  });

  it('when it is cancelled, then that undoes it unless it is paid', async () => {
    const call = callOf();
    const order = await lot.park(at, call);
    if (at.step === 'checkout.commit') {
      expect(await codeOf(lot.cancel(order))).toBe('CONFLICT_ORDER_STATE');
      expect(finance.available()).toBe('757.60');
      return;
    }
    expect((await lot.cancel(order)).order?.product?.value).toMatchObject({ status: OrderStatus.CANCELLED });
    lot.failingAt(at).recover();
    await lot.expectUndone(order, OrderStatus.CANCELLED, call);
  });

  it('when its effect was had and only the answer failed, then undoing it gives everything back', async () => {
    const call = callOf();
    const order = await lot.parkBehindEffect(at, call);
    await lot.resolve(order, OrderStatus.FAILED);
    lot.failingAt(at).recover();
    await lot.expectUndone(order, OrderStatus.FAILED, call);
  });
});

describe('decisions on scent orders that need an operator', () => {
  const [BEGIN, , SETTLE, COMMIT] = STEPS;

  it('when two operators decide otherwise at once, then one of them is refused', async () => {
    const call = callOf();
    const order = await lot.park(SETTLE, call);
    finance.recover();
    const results = await Promise.allSettled([
      lot.resolve(order, OrderStatus.COMPLETED),
      lot.resolve(order, OrderStatus.FAILED),
      lot.cancel(order),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
    }
    expect(finance.charges()).toBe(shop.count('committed'));
  });

  it('when finance is merely away, then the order stays Pending however long, and an operator can cancel it', async () => {
    const call = callOf();
    const request = scent();
    finance.fail('settleOrder', 'SERVICE_UNAVAILABLE');
    expect(await codeOf(createScent(service, request, call))).toBe('SERVICE_UNAVAILABLE');
    const tries = finance.calls['settleOrder'] ?? 0;
    await eventually(() => expect(finance.calls['settleOrder']).toBeGreaterThan(tries + 2));
    const order = await lot.read(request, call);
    expect(order.status).toBe(OrderStatus.PENDING);
    await lot.cancel(order);
    finance.recover();
    await lot.expectUndone(order, OrderStatus.CANCELLED, call);
    expect(await createScent(service, request, call)).toMatchObject({
      orderId: order.orderId,
      status: OrderStatus.CANCELLED,
    });
  });

  it('when undoing fails for good as well, then the order is parked there, and the same decision again goes on', async () => {
    const call = callOf();
    const order = await lot.park(COMMIT, call);
    shop.fail('cancelCheckout', 'INTERNAL_ERROR');
    expect(['CONFLICT_ORDER_STATE', 'SERVICE_UNAVAILABLE']).toContain(
      await codeOf(lot.resolve(order, OrderStatus.FAILED)),
    );
    await eventually(async () =>
      expect(await codeOf(lot.resolve(order, OrderStatus.COMPLETED))).toBe('CONFLICT_ORDER_STATE'),
    );
    shop.recover();
    await eventually(() => lot.resolve(order, OrderStatus.FAILED));
    await lot.expectUndone(order, OrderStatus.FAILED, call);
  });

  it('when what a service returns cannot be read, then that is a failure as any other', async () => {
    const call = callOf();
    const request = scent();
    shop.on(CheckoutServiceService, {
      beginCheckout: () => ({ checkout: { ...{ totalAmount: 'much' } } }) as never,
    });
    expect(await codeOf(createScent(service, request, call))).toBe('SERVICE_UNAVAILABLE');
    await lot.parked(request, call);
    expect(BEGIN.step).toBe('checkout.begin');
  });
});
