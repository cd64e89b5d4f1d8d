import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { CheckoutStateServiceService, OrderFundsServiceService, OrderStatus } from '@reseller/contracts';
import { createSessionPool, Reconciler, type SessionPool } from '@reseller/database';
import { createRpcClient } from '@reseller/rpc';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { createLedger } from '../src/clients/finance/ledger';
import { createCheckoutStates } from '../src/clients/scent-commerce/checkout-states';
import { orderChecks } from '../src/reconciliation/order-checks';
import { PRODUCTS } from './products';
import {
  callOf,
  create,
  createScent,
  MIGRATIONS,
  operator,
  scent,
  startOrders,
  topup,
  type RunningOrders,
} from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
let shop: FakeShop;
let service: RunningOrders;
let reconciler: Reconciler;
let sessions: SessionPool;
let close: () => void;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  finance = await new FakeFinance('100000.00').start();
  shop = await new FakeShop().start();
  service = await startOrders(database, finance, {}, { shop });
  const options = { name: 'dependency', defaultDeadlineMs: 5_000 };
  const funds = createRpcClient(OrderFundsServiceService, finance.address, options);
  const checkouts = createRpcClient(CheckoutStateServiceService, shop.address, options);
  const checks = orderChecks({
    ledger: createLedger(funds),
    checkoutStates: createCheckoutStates(checkouts),
  });
  const { serviceUrl: connectionString, servicePool: pool } = database;
  sessions = createSessionPool({ connectionString, max: 1, name: 'sessions', log: silentLog });
  reconciler = new Reconciler({ pool, sessions, checks, log: silentLog });
  close = () => [funds, checkouts].forEach((client) => client.close());
});
afterAll(async () => {
  close();
  await service.stop();
  await shop.stop();
  await finance.stop();
  await sessions.end();
  await database.drop();
});

async function differences(): Promise<string[]> {
  const runs = await reconciler.run({});
  expect(runs.map(({ isComplete, failure }) => [isComplete, failure])).toEqual(
    runs.map(() => [true, undefined]),
  );
  const { differences: open } = await reconciler.records.list({ isOpen: true }, { offset: 0, limit: 100 });
  return open.map((one) => `${one.check} ${one.kind}: ${one.expected}, not ${one.found}`).sort();
}

async function force(sql: string, values: unknown[]): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('SET session_replication_role = replica');
    expect((await client.query(sql, values)).rowCount).toBe(1);
  } finally {
    await client.query('RESET session_replication_role');
    client.release();
  }
}

const setStatus = (id: string, status: string, was: string) => ({
  damage: () => force('UPDATE orders SET status = $2, completed_at = now() WHERE id = $1', [id, status]),
  repair: () => force('UPDATE orders SET status = $2 WHERE id = $1', [id, was]),
});

/** Changes what a fake has of an order, and back. */
const change = (put: () => () => void) => {
  let repair = (): void => undefined;
  return {
    damage: async () => void (repair = put()),
    repair: async () => repair(),
  };
};

const setFunds = (key: string, record: Parameters<FakeFinance['put']>[1]) =>
  change(() => finance.put(key, record));

const setCheckout = (key: string, state: Parameters<FakeShop['put']>[1]) =>
  change(() => shop.put(key, state));

describe('orders reconciled with the ledger and the shop', () => {
  it('when orders end in every way, then nothing differs', async () => {
    for (const product of PRODUCTS) {
      for (const scenario of ['success', 'fail', 'unknown', 'dropped', 'outage'] as const) {
        await product.attempt(scenario).create(service, callOf());
      }
    }
    const reversed = await create(service, topup(), callOf());
    await service.operations.reverseOrder({ orderGlobalId: reversed.orderGlobalId, notes: 'n' }, operator);
    const resolved = await create(service, topup('0005'), callOf());
    const decision = { orderGlobalId: resolved.orderGlobalId, notes: 'n', outcome: OrderStatus.FAILED };
    await service.operations.resolveOrder(decision, operator);
    await createScent(service, scent(), callOf());
    expect(await differences()).toEqual([]);
  });

  it.each([
    [
      'a completed order was never charged',
      '9999',
      (id: string, key: string) => setFunds(key, undefined),
      ['orders-funds funds: charged 10.00 (Completed), not none'],
    ],
    [
      'a completed order was charged another amount',
      '9999',
      (id: string, key: string) => setFunds(key, { amount: '11.00', state: 'captured' }),
      ['orders-funds funds: charged 10.00 (Completed), not charged 11.00, refunded 0.00'],
    ],
    [
      'a completed order still holds its money',
      '9999',
      (id: string, key: string) => setFunds(key, { amount: '10.00', state: 'held' }),
      ['orders-funds funds: charged 10.00 (Completed), not held 10.00'],
    ],
    [
      'an order that failed was charged',
      '0001',
      (id: string, key: string) => setFunds(key, { amount: '10.00', state: 'captured' }),
      ['orders-funds funds: none (Failed), not charged 10.00, refunded 0.00'],
    ],
    [
      'an order that waits for an operator holds nothing',
      '0005',
      (id: string, key: string) => setFunds(key, { amount: '10.00', state: 'released' }),
      ['orders-funds funds: held 10.00 (InterventionRequired), not none'],
    ],
    [
      'a reversed order kept its charge',
      '9999',
      (id: string) => setStatus(id, 'Reversed', 'Completed'),
      ['orders-funds funds: refunded 10.00 (Reversed), not charged 10.00, refunded 0.00'],
    ],
    [
      'money is held for an order that does not exist',
      undefined,
      () => setFunds('TU-01JD0000000000000000000000', { amount: '7.00', state: 'held' }),
      ['funds-orders order: an order, not none, but held 7.00'],
    ],
    [
      'a charge names no order at all',
      undefined,
      () => setFunds('somebody', { amount: '7.00', state: 'captured' }),
      ['funds-orders order: an order, not none, but charged 7.00, refunded 0.00'],
    ],
    [
      'a checkout belongs to no order',
      undefined,
      () => setCheckout('SC-01JD0000000000000000000000', 'begun'),
      ['checkouts-orders order: an order, not none, but begun'],
    ],
  ])('when %s, then exactly that is listed until it is repaired', async (_what, ends, change, expected) => {
    const order = ends === undefined ? undefined : await create(service, topup(ends), callOf());
    expect(await differences()).toEqual([]);
    const { damage, repair } = change(order?.orderId ?? '', order?.orderGlobalId ?? '');
    await damage();
    expect(await differences()).toEqual(expected);
    expect(await differences()).toEqual(expected);
    await repair();
    expect(await differences()).toEqual([]);
  });

  it('when an operator frees a checkout that belongs to no order, then it is listed no more, and one of an order is not freed', async () => {
    const orderGlobalId = 'SC-01JD0000000000000000000001';
    shop.put(orderGlobalId, 'begun');
    expect(await differences()).toEqual(['checkouts-orders order: an order, not none, but begun']);
    await service.operations.freeCheckout({ orderGlobalId }, operator);
    expect(shop.stateOf(orderGlobalId)).toBe('cancelled');
    expect(await differences()).toEqual([]);
    const order = await createScent(service, scent(), callOf());
    const ofOrder = { orderGlobalId: order.orderGlobalId };
    const { damage, repair } = setCheckout(order.orderGlobalId, 'begun');
    await damage();
    await expect(service.operations.freeCheckout(ofOrder, operator)).rejects.toMatchObject({
      code: 'CONFLICT_ORDER_STATE',
    });
    expect(shop.stateOf(order.orderGlobalId)).toBe('begun');
    await repair();
  });

  it('when a paid scent order’s checkout was undone, then exactly that is listed until it is repaired', async () => {
    const order = await createScent(service, scent(), callOf());
    const { damage, repair } = setCheckout(order.orderGlobalId, 'cancelled');
    await damage();
    expect(await differences()).toEqual(['orders-checkouts checkout: committed (Processing), not cancelled']);
    await repair();
    expect(await differences()).toEqual([]);
  });

  it('when units came back of a scent order and their refund did not, then exactly that is listed until it is repaired', async () => {
    const order = await createScent(service, scent(), callOf());
    const setReturned = (units: number) =>
      force('UPDATE scent_order_lines SET returned_quantity = $2 WHERE order_id = $1 AND position = 0', [
        order.orderId,
        units,
      ]);
    await setReturned(1);
    expect(await differences()).toEqual(['orders-funds refund: 115.00, not 0.00']);
    await setReturned(0);
    expect(await differences()).toEqual([]);
  });

  it('when a dependency is away, then its checks fail, the others run, and nothing is said to differ', async () => {
    finance.fail('listOrderFunds', 'SERVICE_UNAVAILABLE', 1);
    const runs = await reconciler.run({});
    expect(runs.map(({ check, isComplete }) => [check, isComplete])).toEqual([
      ['orders-funds', false],
      ['orders-checkouts', true],
      ['funds-orders', true],
      ['checkouts-orders', true],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('when orders of every kind run all the while, then nothing is ever reported', async () => {
    const before = await reconciler.records.list({}, { offset: 0, limit: 0 });
    let isRunning = true;
    let runs = 0;
    const reconciling = (async () => {
      for (; isRunning; runs += 1) await reconciler.run({});
    })().finally(() => (isRunning = false));
    const scenarios = ['success', 'fail', 'pending', 'pendingfail', 'unknown', 'dropped'] as const;
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let n = 0; n < 24 || (isRunning && runs < 4); n += 1) {
          const scenario = scenarios[(n + worker) % scenarios.length];
          if (n % 5 === 0) finance.fail('captureFunds', 'lost-reply', 1);
          if (n % 7 === 0)
            finance.fail('reserveFunds', n % 2 ? 'BUSINESS_INSUFFICIENT_BALANCE' : 'lost-reply', 1);
          if (n % 4 === 3) await createScent(service, scent(), callOf()).catch(() => undefined);
          else
            await PRODUCTS[n % 2]
              ?.attempt(scenario)
              .create(service, callOf())
              .catch(() => undefined);
        }
      }),
    );
    await eventually(async () => {
      const { rows } = await database.pool.query(
        `SELECT 1 FROM orders WHERE status = 'Pending' OR (status = 'Processing' AND product <> 'Scent')`,
      );
      expect(rows).toEqual([]);
    });
    isRunning = false;
    await reconciling;
    const after = await reconciler.records.list({}, { offset: 0, limit: 100 });
    expect(after.differences.slice(0, after.totalCount - before.totalCount)).toEqual([]);
  });
});
