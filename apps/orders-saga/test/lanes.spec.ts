import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { Environment, OrderStatus } from '@reseller/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import {
  VendorUnreachableError,
  type Vendor,
  type VendorResponse,
} from '../src/clients/vendors/domain/vendor';
import { callOf, create, MIGRATIONS, startOrders, topup, type RunningOrders } from './start-orders';

const SLOTS = 2;
const BACKLOG = 8;
const call = callOf(undefined, Environment.LIVE);
let database: TestDatabase;
let finance: FakeFinance;
let service: RunningOrders;
let hanging: { now: number; most: number };
let submission: VendorResponse;

/** Takes every order and answers no inquiry. */
const slow: Vendor = {
  name: 'slow',
  submit: () => Promise.resolve(submission),
  inquire: (_, { signal }) => {
    hanging.now += 1;
    hanging.most = Math.max(hanging.most, hanging.now);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new VendorUnreachableError('too slow')));
    });
  },
};
const quick: Vendor = {
  name: 'quick',
  submit: () => Promise.resolve({ kind: 'pending' }),
  inquire: () => Promise.resolve({ kind: 'success', vendorOrderId: 'V-2' }),
};

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  hanging = { now: 0, most: 0 };
  submission = { kind: 'pending' };
  finance = await new FakeFinance('1000.00').start();
  const sells = (vendor: Vendor, geoScope: string, priority: number) => ({
    vendor,
    products: ['Topup'],
    geoScopes: [geoScope],
    priority,
  });
  service = await startOrders(
    database,
    finance,
    {
      VENDOR_CONCURRENCY: String(SLOTS),
      // An inquiry that hangs has its slot for the whole test, and a busy machine refuses nothing.
      SAGA_BUDGET_MS: '60000',
      SAGA_LEASE_MS: '3600000',
      FINANCE_DEADLINE_MS: '10000',
    },
    { live: [sells(slow, 'GEO-SA', 1), sells(quick, 'GEO-AE', 1)] },
  );
});
afterEach(async () => {
  await service.stop();
  await finance.stop();
});
afterAll(() => database.drop());

const statusOf = async (orderId: string): Promise<OrderStatus | undefined> =>
  (await service.topups.getTopupOrder({ orderId }, call)).order?.status;

const sagaOf = async (orderId: string) =>
  (
    await database.pool.query<{ lane: string; attempts: number; isLeased: boolean }>(
      `SELECT lane, attempts, lease_owner IS NOT NULL AS "isLeased" FROM sagas WHERE order_id = $1`,
      [orderId],
    )
  ).rows[0];

/** More orders of the slow vendor than it has slots, so that all of them hang and the rest wait. */
async function fillSlowLane(): Promise<string[]> {
  const orders = await Promise.all(Array.from({ length: BACKLOG }, () => create(service, topup(), call)));
  await eventually(() => expect(hanging.now).toBe(SLOTS));
  return orders.map(({ orderId }) => orderId);
}

describe('recovery in lanes (ADR 0011)', () => {
  it('when a vendor hangs, then it has its slots and no more, and the orders of another go on', async () => {
    const waiting = await fillSlowLane();
    const other = await create(
      service,
      topup('9999', { geoScopeGlobalId: 'GEO-AE', phoneNumber: '+971501234567' }),
      call,
    );
    await eventually(async () => expect(await statusOf(other.orderId)).toBe(OrderStatus.COMPLETED));
    expect([hanging.now, hanging.most]).toEqual([SLOTS, SLOTS]);
    expect(await Promise.all(waiting.map(statusOf))).toEqual(waiting.map(() => OrderStatus.PROCESSING));
  });

  it('when money only waits for its capture, then it does not wait behind polls of a vendor that hangs', async () => {
    await fillSlowLane();
    submission = { kind: 'success', vendorOrderId: 'V-1' };
    const recover = finance.fail('captureFunds', 'SERVICE_UNAVAILABLE');
    const delivered = await create(service, topup(), { ...call, deadlineAt: Date.now() + 6_000 });
    expect(delivered.status).toBe(OrderStatus.PROCESSING);
    expect(await sagaOf(delivered.orderId)).toMatchObject({ lane: 'settlement' });
    recover();
    await eventually(async () => expect(await statusOf(delivered.orderId)).toBe(OrderStatus.COMPLETED));
    expect([hanging.now, hanging.most]).toEqual([SLOTS, SLOTS]);
  });

  it('when a lease lapsed of an order whose vendor has no slot left, then the order waits in that vendor’s lane as if nobody had looked', async () => {
    const waiting = await fillSlowLane();
    const sagas = await Promise.all(waiting.map(sagaOf));
    const free = waiting.find((_, n) => sagas[n]?.isLeased === false)!;
    const before = await sagaOf(free);
    await database.pool.query(
      `UPDATE sagas SET lane = 'lapsed', lease_owner = 'gone', lease_until = now(), wake_at = now() WHERE order_id = $1`,
      [free],
    );
    await eventually(async () => expect(await sagaOf(free)).toEqual(before));
    expect(before).toMatchObject({ lane: 'vendor:slow' });
    expect(hanging.most).toBe(SLOTS);
  });
});
