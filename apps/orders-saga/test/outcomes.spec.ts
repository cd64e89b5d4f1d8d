import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OrderStatus } from '@reseller/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { FakeFinance } from './fake-finance';
import { callOf, create, eventsOf, MIGRATIONS, startOrders, topup, type RunningOrders } from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
let service: RunningOrders;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00', { currency: 'USD', rate: '0.266667' }).start();
  service = await startOrders(database, finance, { SAGA_BUDGET_MS: '8000' });
});
afterEach(async () => {
  await service.stop();
  await finance.stop();
});
afterAll(() => database.drop());

async function settled(orderId: string, call: ReturnType<typeof callOf>, status: OrderStatus) {
  return eventually(
    async () => {
      const { order } = await service.topups.getTopupOrder({ orderId }, call);
      expect(order?.status).toBe(status);
      return order!;
    },
    { timeoutMs: 8_000 },
  );
}

describe('the outcomes of decisions §4.12', () => {
  it.each([
    ['9999', 'any number'],
    ['0002', 'an outage that ends'],
    ['0006', 'a dropped answer'],
    ['0007', 'a slow vendor'],
  ])(
    'when the phone ends in %s (%s), then the order completes in its request with one charge',
    async (ends) => {
      const call = callOf();
      const order = await create(service, topup(ends), call);
      expect(order).toMatchObject({
        status: OrderStatus.COMPLETED,
        vendorOrderId: expect.stringMatching(/^SIM-/),
        errorMessage: undefined,
        failureCode: undefined,
        nextPollAt: undefined,
        currentRetryCount: 0,
        displayRate: { currency: 'USD', rate: '0.266667' },
        currency: 'SAR',
        amount: '10.00',
      });
      expect(order.completedAt).toBeInstanceOf(Date);
      expect(finance.available()).toBe('990.00');
      expect(finance.charges()).toBe(1);
      expect((await service.simulation.findJournalEntry(order.orderGlobalId))?.state).toBe('success');
      expect(await eventsOf(database, order.orderId)).toEqual(['OrderCompleted']);
    },
  );

  it('when the vendor refuses, then the order is Failed, the money is free and the reason is shown', async () => {
    const order = await create(service, topup('0001'), callOf());
    expect(order).toMatchObject({
      status: OrderStatus.FAILED,
      failureCode: 'VENDOR_REFUSED',
      errorMessage: 'The vendor refused the order.',
    });
    expect(order.completedAt).toBeInstanceOf(Date);
    expect(finance.available()).toBe('1000.00');
    expect(finance.count('released')).toBe(1);
    expect(await eventsOf(database, order.orderId)).toEqual(['OrderFailed']);
  });

  it.each([
    ['0003', OrderStatus.COMPLETED, '990.00', 'OrderCompleted'],
    ['0004', OrderStatus.FAILED, '1000.00', 'OrderFailed'],
  ] as const)(
    'when the vendor says pending (%s), then Processing is answered at once and the second poll ends it as %s',
    async (ends, status, balance, event) => {
      const call = callOf();
      const order = await create(service, topup(ends), call);
      expect(order).toMatchObject({ status: OrderStatus.PROCESSING, currentRetryCount: 0 });
      expect(order.nextPollAt).toBeInstanceOf(Date);
      const ended = await settled(order.orderId, call, status);
      expect(ended).toMatchObject({ currentRetryCount: 2, nextPollAt: undefined });
      expect(finance.available()).toBe(balance);
      expect(await eventsOf(database, order.orderId)).toEqual(['OrderProcessingStarted', event]);
    },
  );

  it('when the vendor itself says unknown, then an operator is needed, the money stays reserved and nothing is told', async () => {
    const call = callOf();
    const request = topup('0005');
    const order = await create(service, request, call);
    expect(order).toMatchObject({ status: OrderStatus.INTERVENTION_REQUIRED, completedAt: undefined });
    expect(finance.count('held')).toBe(1);
    expect(await eventsOf(database, order.orderId)).toEqual([]);
    await expect(create(service, request, call)).rejects.toMatchObject({
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
    const order = await create(service, topup('0003'), call);
    expect(order.status).toBe(OrderStatus.PROCESSING);
    await settled(order.orderId, call, OrderStatus.INTERVENTION_REQUIRED);
    expect(finance.count('held')).toBe(1);
  });
});
