import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { OrderStatus } from '@reseller/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { activationOf, PRODUCTS, thousandLess, type AnyOrder } from './products';
import { callOf, eventsOf, MIGRATIONS, startOrders, type RunningOrders } from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
let service: RunningOrders;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00', { currency: 'USD', rate: '0.266667' }).start();
  service = await startOrders(database, finance);
});
afterEach(async () => {
  await service.stop();
  await finance.stop();
});
afterAll(() => database.drop());

describe.each(PRODUCTS)('the outcomes of spec §4.12, for $name', (product) => {
  const charged = thousandLess(product.amount);

  const settled = (
    orderId: string,
    call: ReturnType<typeof callOf>,
    status: OrderStatus,
  ): Promise<AnyOrder> =>
    eventually(async () => {
      const order = await product.read(service, orderId, call);
      expect(order.status).toBe(status);
      return order;
    });

  // What the vendor noted for the key; all undefined for a top-up, which has nothing to turn on.
  async function delivered({ orderGlobalId }: AnyOrder): Promise<(string | undefined)[]> {
    const { activation } = await service.simulation.inquire(orderGlobalId);
    return [activation?.iccid, activation?.activationCode, activation?.matchingId, activation?.planDetails];
  }

  it.each(['success', 'outage', 'dropped', 'slow'] as const)(
    'when the vendor rehearses %s, then the order completes in its request with one charge',
    async (scenario) => {
      const call = callOf();
      const order = await product.attempt(scenario).create(service, call);
      expect(order).toMatchObject({
        status: OrderStatus.COMPLETED,
        vendorOrderId: expect.stringMatching(/^SIM-/),
        errorMessage: undefined,
        failureCode: undefined,
        nextPollAt: undefined,
        currentRetryCount: 0,
        displayRate: { currency: 'USD', rate: '0.266667' },
        currency: 'SAR',
        amount: product.amount,
      });
      expect(order.completedAt).toBeInstanceOf(Date);
      expect(finance.available()).toBe(charged);
      expect(finance.charges()).toBe(1);
      expect((await service.simulation.findJournalEntry(order.orderGlobalId))?.state).toBe('success');
      expect(await eventsOf(database, order.orderId)).toEqual(['OrderCompleted']);
      expect(activationOf(order)).toEqual(await delivered(order));
      expect(activationOf(order).every((value) => (product.name === 'Esim') === (value !== undefined))).toBe(
        true,
      );
    },
  );

  it('when the vendor refuses, then the order is Failed, the money is free and the reason is shown', async () => {
    const order = await product.attempt('fail').create(service, callOf());
    expect(order).toMatchObject({
      status: OrderStatus.FAILED,
      failureCode: 'VENDOR_REFUSED',
      errorMessage: 'The vendor refused the order.',
    });
    expect(order.completedAt).toBeInstanceOf(Date);
    expect(activationOf(order)).toEqual(Array(4).fill(undefined));
    expect(finance.available()).toBe('1000.00');
    expect(finance.count('released')).toBe(1);
    expect(await eventsOf(database, order.orderId)).toEqual(['OrderFailed']);
  });

  it.each([
    ['pending', OrderStatus.COMPLETED, charged, 'OrderCompleted'],
    ['pendingfail', OrderStatus.FAILED, '1000.00', 'OrderFailed'],
  ] as const)(
    'when the vendor says %s, then Processing is returned at once and the second poll ends it as %s',
    async (scenario, status, balance, event) => {
      const call = callOf();
      const order = await product.attempt(scenario).create(service, call);
      expect(order).toMatchObject({ status: OrderStatus.PROCESSING, currentRetryCount: 0 });
      expect(order.nextPollAt).toBeInstanceOf(Date);
      expect(activationOf(order)).toEqual(Array(4).fill(undefined));
      const ended = await settled(order.orderId, call, status);
      expect(ended).toMatchObject({ currentRetryCount: 2, nextPollAt: undefined });
      expect(finance.available()).toBe(balance);
      expect(await eventsOf(database, order.orderId)).toEqual(['OrderProcessingStarted', event]);
      expect(activationOf(ended)).toEqual(await delivered(order));
    },
  );

  it('when the vendor itself says unknown, then an operator is needed, the money stays reserved and there is no event', async () => {
    const call = callOf();
    const attempt = product.attempt('unknown');
    const order = await attempt.create(service, call);
    expect(order).toMatchObject({ status: OrderStatus.INTERVENTION_REQUIRED, completedAt: undefined });
    expect(activationOf(order)).toEqual(Array(4).fill(undefined));
    expect(finance.count('held')).toBe(1);
    expect(await eventsOf(database, order.orderId)).toEqual([]);
    await expect(attempt.create(service, call)).rejects.toMatchObject({
      code: 'CONFLICT_ORDER_INTERVENTION_REQUIRED',
      details: { orderId: order.orderId },
    });
  });

  it('when an outcome stays unknown past the limit, then an operator is needed', async () => {
    await service.stop();
    service = await startOrders(database, finance, {
      VENDOR_UNKNOWN_AFTER_MS: '40',
      VENDOR_POLL_BASE_MS: '5000',
    });
    const call = callOf();
    const order = await product.attempt('pending').create(service, call);
    expect(order.status).toBe(OrderStatus.PROCESSING);
    await settled(order.orderId, call, OrderStatus.INTERVENTION_REQUIRED);
    expect(finance.count('held')).toBe(1);
  });
});
