import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { Environment, OrderStatus, type TopupOrder } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import { adapterOf, BEHAVIOURS, ScriptedVendor, type Behaviour } from './scripted-vendor';
import { callOf, create, eventsOf, MIGRATIONS, startOrders, topup, type RunningOrders } from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
let service: RunningOrders;
let first: ScriptedVendor;
let second: ScriptedVendor;
let call: CallContext;
let adapters: ReturnType<typeof adapterOf>[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  first = await new ScriptedVendor('first').start();
  second = await new ScriptedVendor('second').start();
  call = callOf(undefined, Environment.LIVE);
  await start();
});
afterEach(async () => {
  await stop();
  for (const one of [first, second, finance]) await one.stop();
});
afterAll(() => database.drop());

async function start(
  env: Record<string, string> = {},
  options: Parameters<typeof adapterOf>[2] = {},
  onlyThere?: string[],
): Promise<void> {
  adapters = [
    adapterOf(second, 2, { ...options, ...(onlyThere && { geoScopes: onlyThere }) }),
    adapterOf(first, 1, options),
  ];
  service = await startOrders(database, finance, { VENDOR_POLL_BASE_MS: '30', ...env }, { live: adapters });
}

async function stop(): Promise<void> {
  await service.stop();
  for (const { vendor } of adapters) await vendor.close();
}

async function restart(...options: Parameters<typeof start>): Promise<void> {
  await stop();
  await start(...options);
}

const read = async (orderId: string): Promise<TopupOrder> =>
  (await service.topups.getTopupOrder({ orderId }, call)).order!;

const ended = (orderId: string, status: OrderStatus): Promise<TopupOrder> =>
  eventually(async () => {
    const order = await read(orderId);
    expect(order.status).toBe(status);
    return order;
  });

/** The journal of whom an order was given to, and what came of it. */
async function vendorSteps(orderId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `SELECT concat_ws(' ', step, phase, outcome, details ->> 'vendor') AS line FROM saga_steps
     WHERE order_id = $1 AND step IN ('vendor.submit', 'vendor.choose') ORDER BY seq`,
    [orderId],
  );
  return rows.map(({ line }) => line);
}

async function vendorOf(orderId: string): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ name: string }>(
    'SELECT vendor_name AS name FROM orders WHERE id = $1',
    [orderId],
  );
  return rows[0]?.name;
}

describe('two live vendors', () => {
  it('when the first is well, then the second is never called, and the journal names whom it will ask first', async () => {
    const order = await create(service, topup(), call);
    expect(order).toMatchObject({ status: OrderStatus.COMPLETED, vendorOrderId: 'first-1' });
    expect(await vendorSteps(order.orderId)).toEqual([
      'vendor.submit intent first',
      'vendor.submit result Done',
    ]);
    expect(second.requests).toEqual([]);
  });

  it('when the first cannot be connected to, then the second delivers in the same request, by an intent of its own', async () => {
    await first.stop();
    const order = await create(service, topup(), call);
    expect(order).toMatchObject({ status: OrderStatus.COMPLETED, vendorOrderId: 'second-1' });
    expect(await vendorSteps(order.orderId)).toEqual([
      'vendor.submit intent first',
      'vendor.submit result Failed first',
      'vendor.submit intent second',
      'vendor.submit result Done',
    ]);
    expect(await vendorOf(order.orderId)).toBe('second');
    expect(second.delivered).toEqual([order.orderGlobalId]);
    expect(finance.charges()).toBe(1);
    expect(await eventsOf(database, order.orderId)).toEqual(['OrderCompleted']);
  });

  it('when the first says that it took nothing, then the second delivers', async () => {
    first.submits.push('not-accepted');
    const order = await create(service, topup(), call);
    expect(order).toMatchObject({ status: OrderStatus.COMPLETED, vendorOrderId: 'second-1' });
    expect([first.count('POST'), first.count('GET')]).toEqual([1, 0]);
  });

  it.each<[Behaviour, number]>([
    ['drop', 2],
    ['drop-taken', 1],
    ['hang', 2],
    ['hang-taken', 1],
    ['error', 2],
    ['error-taken', 1],
    ['nonsense', 2],
  ])(
    'when nobody can tell what the first did (%s), then it is queried for what became of the key, and the second never',
    async (behaviour, submissions) => {
      if (behaviour.startsWith('hang')) await restart({ SAGA_BUDGET_MS: '6000' }, { timeoutMs: 1_000 });
      first.submits.push(behaviour);
      const order = await create(service, topup(), call);
      expect(order).toMatchObject({ status: OrderStatus.COMPLETED, vendorOrderId: 'first-1' });
      expect(first.count('POST')).toBe(submissions);
      expect(first.requests[1]).toBe(`GET ${order.orderGlobalId}`);
      expect(first.delivered).toEqual([order.orderGlobalId]);
      expect(second.requests).toEqual([]);
      expect(finance.charges()).toBe(1);
    },
  );

  it('when the first was in doubt once, then it keeps the order, though it denies it and then cannot be reached', async () => {
    // Dropped, denied, "took nothing", and so on; then it is gone altogether.
    first.submits.push('drop', 'not-accepted', 'not-accepted', 'not-accepted');
    const order = await create(service, topup(), call);
    expect(order).toMatchObject({ status: OrderStatus.PROCESSING });
    await first.stop();
    const { currentRetryCount } = await read(order.orderId);
    await eventually(async () =>
      expect((await read(order.orderId)).currentRetryCount).toBeGreaterThan(currentRetryCount + 1),
    );
    expect(second.requests).toEqual([]);
    await first.start();
    await ended(order.orderId, OrderStatus.COMPLETED);
    expect([first.delivered, second.delivered]).toEqual([[order.orderGlobalId], []]);
    expect(finance.charges()).toBe(1);
  });

  it('when the first said pending, then only it is polled, also while it cannot be reached', async () => {
    first.submits.push('pending');
    first.inquiries.push('error', 'drop');
    const order = await create(service, topup(), call);
    expect(order.status).toBe(OrderStatus.PROCESSING);
    await ended(order.orderId, OrderStatus.COMPLETED);
    expect(first.count('POST')).toBe(1);
    expect(second.requests).toEqual([]);
  });

  it('when the first refuses, then the order is Failed and the second is not asked', async () => {
    first.submits.push('refuse');
    const order = await create(service, topup(), call);
    expect(order).toMatchObject({ status: OrderStatus.FAILED, errorMessage: 'No.' });
    expect(second.requests).toEqual([]);
    expect(finance.available()).toBe('1000.00');
  });

  it('when none can be reached, then the order waits, its money set aside, and goes to whoever is back first', async () => {
    for (const vendor of [first, second]) await vendor.stop();
    const order = await create(service, topup(), call);
    expect(order).toMatchObject({ status: OrderStatus.PROCESSING, currentRetryCount: 0 });
    expect(order.nextPollAt).toBeInstanceOf(Date);
    expect(finance.count('held')).toBe(1);
    await eventually(async () => expect((await read(order.orderId)).currentRetryCount).toBeGreaterThan(1));
    await second.start();
    const completed = await ended(order.orderId, OrderStatus.COMPLETED);
    expect(completed.vendorOrderId).toBe('second-1');
    const steps = await vendorSteps(order.orderId);
    expect(steps.slice(0, 5)).toEqual([
      'vendor.submit intent first',
      'vendor.submit result Failed first',
      'vendor.submit intent second',
      'vendor.submit result Failed second',
      'vendor.choose intent',
    ]);
    // At any time one intent is open at most: each is closed before the next.
    for (const [n, line] of steps.entries()) expect(line.includes('intent')).toBe(n % 2 === 0);
    expect([first.delivered, second.delivered]).toEqual([[], [order.orderGlobalId]]);
    expect(await eventsOf(database, order.orderId)).toEqual(['OrderProcessingStarted', 'OrderCompleted']);
  });

  it('when none has taken the order in time, then an operator decides; it is never Failed by itself', async () => {
    await restart({ VENDOR_UNKNOWN_AFTER_MS: '100' });
    for (const vendor of [first, second]) await vendor.stop();
    const order = await create(service, topup(), call);
    await ended(order.orderId, OrderStatus.INTERVENTION_REQUIRED);
    expect(finance.count('held')).toBe(1);
  });

  it('when the second does not serve the geo scope, then it is not asked', async () => {
    await restart({}, {}, ['GEO-AE']);
    await first.stop();
    const order = await create(service, topup(), call);
    expect(order.status).toBe(OrderStatus.PROCESSING);
    const there = topup('9999', { geoScopeGlobalId: 'GEO-AE', phoneNumber: '+971500000009' });
    expect(await create(service, there, call)).toMatchObject({ vendorOrderId: 'second-1' });
    await first.start();
    expect((await ended(order.orderId, OrderStatus.COMPLETED)).vendorOrderId).toBe('first-1');
  });

  it('when the first falls silent, then its breaker sends orders straight to the second, until it responds again', async () => {
    await restart({}, { faults: 3, openMs: 1_500 });
    // The first order stays in doubt with the first vendor; three faults are its first try and two questions.
    first.submits.push('drop');
    // It stays silent until the next order is made, also where that takes longer than the breaker is open.
    first.inquiries.push(...Array.from({ length: 1_000 }, () => 'drop' as const));
    const doubtful = await create(service, topup(), call);
    expect(doubtful.status).toBe(OrderStatus.PROCESSING);
    const order = await create(service, topup(), call);
    expect(order).toMatchObject({ status: OrderStatus.COMPLETED, vendorOrderId: 'second-1' });
    expect(first.requests).not.toContain(`POST ${order.orderGlobalId}`);
    first.inquiries.length = 0;
    expect((await ended(doubtful.orderId, OrderStatus.COMPLETED)).vendorOrderId).toBe('first-1');
    expect((await create(service, topup(), call)).vendorOrderId).toBe('first-1');
  });

  it('when the same create comes ten times while vendors change, then there is one order and one delivery', async () => {
    await first.stop();
    const request = topup();
    const orders = await Promise.all(Array.from({ length: 10 }, () => create(service, request, call)));
    expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(1);
    expect(second.requests).toEqual([`POST ${orders[0]?.orderGlobalId}`]);
    expect(finance.charges()).toBe(1);
  });

  it('when the vendor of a new order is configured no more, then nobody asked it, and another one delivers', async () => {
    finance.fail('reserveFunds', 'SERVICE_UNAVAILABLE');
    const request = topup();
    const tries = finance.calls['reserveFunds'] ?? 0;
    // On a busy machine the time may be over before the order is made.
    await eventually(async () => {
      const placed = create(service, request, { ...call, deadlineAt: Date.now() + 2_500 });
      await expect(placed).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(finance.calls['reserveFunds'] ?? 0).toBeGreaterThan(tries);
    });
    await stop();
    finance.recover();
    adapters = [adapterOf(second, 2)];
    service = await startOrders(database, finance, {}, { live: adapters });
    await eventually(() => expect(second.delivered).toHaveLength(1));
    expect(first.requests).toEqual([]);
  });
});

describe('whatever two vendors do', () => {
  const behaviours = fc.array(fc.constantFrom(...BEHAVIOURS.filter((one) => !one.startsWith('hang'))), {
    maxLength: 6,
  });
  it('when they are well again, then the order has ended, and there is one delivery at one of them exactly if it was charged', async () => {
    await restart({ VENDOR_RETRY_BASE_MS: '1', VENDOR_POLL_BASE_MS: '1' }, { faults: 4, openMs: 5 });
    await fc.assert(
      fc.asyncProperty(behaviours, behaviours, behaviours, behaviours, async (s1, q1, s2, q2) => {
        const before = finance.charges();
        first.submits.push(...s1);
        first.inquiries.push(...q1);
        second.submits.push(...s2);
        second.inquiries.push(...q2);
        const { orderId, orderGlobalId } = await create(service, topup(), call);
        const order = await eventually(async () => {
          const now = await read(orderId);
          expect([OrderStatus.COMPLETED, OrderStatus.FAILED]).toContain(now.status);
          return now;
        });
        for (const vendor of [first, second]) vendor.submits.length = vendor.inquiries.length = 0;
        const deliveries = [...first.delivered, ...second.delivered].filter((key) => key === orderGlobalId);
        expect(deliveries).toHaveLength(order.status === OrderStatus.COMPLETED ? 1 : 0);
        expect(finance.charges() - before).toBe(deliveries.length);
        const takers = [first, second].filter(({ journal }) => journal.has(orderGlobalId));
        expect(takers.map(({ name }) => name)).toEqual([await vendorOf(orderId)]);
      }),
      { numRuns: 60 },
    );
  });
});
