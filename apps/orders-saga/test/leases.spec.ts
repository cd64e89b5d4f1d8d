import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { Environment, FundsServiceService, OrderStatus } from '@reseller/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { VendorUnreachableError, type Vendor } from '../src/clients/vendors/domain/vendor';
import { callOf, create, eventsOf, MIGRATIONS, startOrders, topup, type RunningOrders } from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
const running: RunningOrders[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  await finance.stop();
});
afterAll(() => database.drop());

async function start(...options: [env?: Record<string, string>, vendor?: Vendor]): Promise<RunningOrders> {
  const [env, vendor] = options;
  const live = vendor ? [{ vendor, products: ['Topup' as const], geoScopes: ['*'], priority: 1 }] : [];
  const service = await startOrders(database, finance, env, { live });
  running.push(service);
  return service;
}

describe('leases', () => {
  it('when a step takes longer than the lease, then its renewal keeps the order with its driver', async () => {
    // Shorter than the step, and long enough to be renewed in time on a busy machine.
    const times = { SAGA_LEASE_MS: '2500' };
    const first = await start(times);
    await start(times);
    // Phone 0007 responds after three seconds.
    const order = await create(first, topup('0007'), callOf());
    expect(order.status).toBe(OrderStatus.COMPLETED);
    const { rows } = await database.pool.query<{ lease_epoch: string }>(
      'SELECT lease_epoch FROM sagas WHERE order_id = $1',
      [order.orderId],
    );
    expect(rows).toEqual([{ lease_epoch: '1' }]);
    expect(await eventsOf(database, order.orderId)).toEqual(['OrderCompleted']);
  });

  it('when an order was taken over while its driver waited for finance, then that one frees nothing of it', async () => {
    const times = { SAGA_LEASE_MS: '1500', FUNDS_CHECK_AFTER_MS: '60000' };
    const [first, call] = [await start(times), callOf()];
    await create(first, topup(), call);
    await start(times);
    // The rate that its driver remembers is no longer the one: it would free the hold and begin the order anew.
    finance.setDisplayRate({ currency: 'USD', rate: '0.266600' });
    const handlers = finance.handlers(FundsServiceService);
    const { reserveFunds } = handlers;
    handlers.reserveFunds = async (request, context) => {
      handlers.reserveFunds = reserveFunds;
      const response = await reserveFunds(request, context);
      const lapsesAt = performance.now() + Number(times.SAGA_LEASE_MS);
      await eventually(async () => {
        await database.pool.query(
          `UPDATE sagas SET lease_until = now(), wake_at = now() WHERE lease_epoch = 1 AND state = 'Active'`,
        );
        const { rows } = await database.pool.query('SELECT status FROM orders WHERE global_id = $1', [
          request.orderGlobalId,
        ]);
        expect(rows).toEqual([{ status: 'InterventionRequired' }]);
        expect(performance.now()).toBeGreaterThan(lapsesAt);
      });
      return response;
    };
    // Of phone 0005 the vendor does not know what became of it: an operator may have it charged yet.
    expect(await create(first, topup('0005'), call)).toMatchObject({
      status: OrderStatus.INTERVENTION_REQUIRED,
    });
    expect([finance.count('held'), finance.calls['releaseFunds']]).toEqual([1, undefined]);
  });

  it('when several instances poll the same orders, then each order ends once', async () => {
    const services = [await start(), await start(), await start()];
    const call = callOf();
    const orders = await Promise.all(
      Array.from({ length: 12 }, () => create(services[0]!, topup('0003'), call)),
    );
    await eventually(async () => {
      const any = { page: undefined, fromAt: undefined, toAt: undefined };
      const list = await services[1]!.topups.listTopupOrders({ ...any, status: OrderStatus.COMPLETED }, call);
      expect(list.page?.totalCount).toBe(12);
    });
    expect(finance.charges()).toBe(12);
    for (const { orderId } of orders) {
      expect(await eventsOf(database, orderId)).toEqual(['OrderProcessingStarted', 'OrderCompleted']);
    }
  });
});

describe('a live vendor', () => {
  it('when it does not respond within the budget, then the order is Processing and the poller inquires, never orders again', async () => {
    const calls: string[] = [];
    let delivered = false;
    const vendor: Vendor = {
      name: 'slow',
      submit: (_, { signal }) => {
        calls.push('submit');
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new VendorUnreachableError('too slow')));
        });
      },
      inquire: async () => {
        calls.push('inquire');
        return delivered ? { kind: 'success', vendorOrderId: 'V-1' } : { kind: 'pending' };
      },
    };
    const service = await start({ SAGA_BUDGET_MS: '1500' }, vendor);
    const call = callOf(undefined, Environment.LIVE);
    const order = await create(service, topup(), call);
    expect(order).toMatchObject({ status: OrderStatus.PROCESSING, currentRetryCount: 0 });
    await eventually(() => expect(calls).toContain('inquire'));
    delivered = true;
    await eventually(async () => {
      const { order: now } = await service.topups.getTopupOrder({ orderId: order.orderId }, call);
      expect(now).toMatchObject({ status: OrderStatus.COMPLETED, vendorOrderId: 'V-1' });
    });
    expect(calls.filter((one) => one === 'submit')).toHaveLength(1);
  });

  it('when it says that it never heard of the key, then the same request goes out again under the same key', async () => {
    const keys: string[] = [];
    const vendor: Vendor = {
      name: 'forgetful',
      submit: async (_, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (keys.length <= 5) throw new VendorUnreachableError('connection lost');
        return { kind: 'success', vendorOrderId: 'V-2' };
      },
      inquire: async () => ({ kind: 'not-found' }),
    };
    const service = await start({}, vendor);
    const call = callOf(undefined, Environment.LIVE);
    const order = await create(service, topup(), call);
    expect(order.status).toBe(OrderStatus.PROCESSING);
    expect(keys).toHaveLength(4);
    await eventually(async () => {
      const { order: now } = await service.topups.getTopupOrder({ orderId: order.orderId }, call);
      expect(now).toMatchObject({ status: OrderStatus.COMPLETED, currentRetryCount: 2 });
    });
    expect(new Set(keys)).toEqual(new Set([order.orderGlobalId]));
    expect(finance.charges()).toBe(1);
  });
});
