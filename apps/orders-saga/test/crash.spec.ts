import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { OrderStatus } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { CRASH_POINTS, type CrashPoint } from '../src/crash-points';
import {
  APPROVAL_POINTS,
  CRASH_CELLS,
  ERASURE_POINTS,
  FAILOVER_POINTS,
  PARKING_POINTS,
  SCENT_POINTS,
  TASK_POINTS,
  type CrashCell,
} from './crash-cells';
import { bundleOrders, spawnOrders, type OrdersProcess } from './spawn-orders';
import { activationOf, PRODUCTS, thousandLess, type Attempt } from './products';
import { callOf, eventsOf, MIGRATIONS, operator, startOrders, type RunningOrders } from './start-orders';

let database: TestDatabase;
let bundle: Awaited<ReturnType<typeof bundleOrders>>;
let finance: FakeFinance;
let survivor: RunningOrders;
let doomed: OrdersProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bundle = await bundleOrders();
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  survivor = await startOrders(database, finance);
});
afterEach(async () => {
  await doomed?.stop();
  await survivor.stop();
  await finance.stop();
});
afterAll(async () => {
  await bundle.remove();
  await database.drop();
});

async function spawn(env: Record<string, string> = {}): Promise<OrdersProcess> {
  const addresses = {
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: database.url,
    FINANCE_ADDRESS: finance.address,
    SCENT_COMMERCE_ADDRESS: '127.0.0.1:1',
    // Only the survivor carries on what is left behind.
    RECOVERY_INTERVAL_MS: '60000',
    VENDOR_RETRY_BASE_MS: '10',
  };
  doomed = await spawnOrders(bundle.file, { ...addresses, ...env });
  return doomed;
}

/** Lets the time of every lease pass at once. */
async function lapseLeases(): Promise<void> {
  await database.pool.query(
    'UPDATE sagas SET lease_until = now(), wake_at = now() WHERE lease_until IS NOT NULL',
  );
}

const count = async (sql: string, values: unknown[]): Promise<number> =>
  (await database.pool.query<{ n: number }>(sql, values)).rows[0]?.n ?? -1;

async function dieAt(point: CrashPoint, attempt: Attempt, call: CallContext): Promise<void> {
  const process = await spawn({ CRASH_POINT: point });
  await expect(attempt.create(process, call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await process.ended).toBe('SIGKILL');
  await lapseLeases();
}

const pointsOf = (way: CrashCell['by']): CrashPoint[] =>
  CRASH_CELLS.filter(({ by }) => by === way).map(({ point }) => point);

it('when the crash cells are counted, then every crash point has one', () => {
  const cells = CRASH_CELLS.map(({ point }) => point);
  const points = [
    ...cells,
    ...FAILOVER_POINTS,
    ...SCENT_POINTS,
    ...TASK_POINTS,
    ...PARKING_POINTS,
    ...APPROVAL_POINTS,
    ...ERASURE_POINTS,
  ];
  expect(new Set(points)).toEqual(new Set(CRASH_POINTS));
});

describe.each(PRODUCTS)('a process killed at a boundary of the saga of $name (spec §4.7)', (product) => {
  it.each(
    CRASH_CELLS.filter(({ by }) => by === 'create').map(
      ({ point, vendor, ends }) => [point, vendor, ends] as const,
    ),
  )(
    'when it dies at %s (vendor: %s), then the repeated create ends as %s with one order, one charge, one delivery',
    async (point, scenario, ends) => {
      const call = callOf();
      const attempt = product.attempt(scenario);
      const { partnerId } = call.partner!;
      await dieAt(point, attempt, call);
      const order = await attempt.create(survivor, call);
      const isCharged = ends === 'Completed';
      expect(order.status).toBe(isCharged ? OrderStatus.COMPLETED : OrderStatus.FAILED);
      expect(await attempt.create(survivor, call)).toEqual(order);
      expect(await count('SELECT count(*)::int AS n FROM orders WHERE partner_id = $1', [partnerId])).toBe(1);
      expect(finance.charges()).toBe(isCharged ? 1 : 0);
      expect(finance.available()).toBe(isCharged ? thousandLess(product.amount) : '1000.00');
      const hasActivation = isCharged && product.name === 'Esim';
      expect(activationOf(order).filter((value) => value !== undefined)).toHaveLength(hasActivation ? 4 : 0);
      const delivered = 'SELECT sum(deliveries)::int AS n FROM vendor_journal WHERE idempotency_key = $1';
      expect(await count(delivered, [order.orderGlobalId])).toBe(finance.charges());
      expect(await eventsOf(database, order.orderId)).toContain(isCharged ? 'OrderCompleted' : 'OrderFailed');
      expect(
        (await eventsOf(database, order.orderId)).filter((type) => type !== 'OrderProcessingStarted'),
      ).toHaveLength(1);
    },
  );

  it.each(pointsOf('withdrawal'))(
    'when it dies at %s, then the refused order is gone and its reference free',
    async (point) => {
      const call = callOf();
      const attempt = product.attempt();
      finance.fail('reserveFunds', 'BUSINESS_INSUFFICIENT_BALANCE', 1);
      await dieAt(point, attempt, call);
      const order = await attempt.create(survivor, call);
      expect(order.status).toBe(OrderStatus.COMPLETED);
      expect(finance.charges()).toBe(1);
      expect(finance.count('held')).toBe(0);
    },
  );

  it.each(pointsOf('reversal'))(
    'when it dies at %s of an operator’s reversal, then the reversal is carried out once',
    async (point) => {
      const call = callOf();
      const attempt = product.attempt();
      const order = await attempt.create(survivor, call);
      const process = await spawn({ CRASH_POINT: point });
      const reverse = { orderGlobalId: order.orderGlobalId, notes: 'wrong number' };
      await expect(process.operations.reverseOrder(reverse, operator)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
      expect(await process.ended).toBe('SIGKILL');
      await lapseLeases();
      const reversed = await eventually(async () => {
        const read = await attempt.create(survivor, call);
        expect(read.status).toBe(OrderStatus.REVERSED);
        return read;
      });
      expect(activationOf(reversed)).toEqual(activationOf(order));
      expect(finance.available()).toBe('1000.00');
      expect(await eventsOf(database, order.orderId)).toEqual(['OrderCompleted', 'OrderReversed']);
    },
  );
});

describe('a process that is paused past its lease', () => {
  it.each(['reserveFunds', 'captureFunds'])(
    'when it wakes up in %s after another one has ended its order, then it changes nothing',
    async (method) => {
      const call = callOf();
      const attempt = PRODUCTS[0]!.attempt();
      const process = await spawn();
      const open = finance.hold(method);
      const late = attempt.create(process, call);
      await eventually(() => expect(finance.calls[method]).toBeGreaterThan(0));
      process.child.kill('SIGSTOP');
      await lapseLeases();
      open();
      const order = await attempt.create(survivor, call);
      expect(order.status).toBe(OrderStatus.COMPLETED);
      const journal = 'SELECT step, phase, outcome FROM saga_steps WHERE order_id = $1 ORDER BY seq';
      const before = await database.pool.query(journal, [order.orderId]);
      process.child.kill('SIGCONT');
      expect(await late).toEqual(order);
      expect((await database.pool.query(journal, [order.orderId])).rows).toEqual(before.rows);
      expect(finance.charges()).toBe(1);
      const entry = await survivor.simulation.findJournalEntry(order.orderGlobalId);
      expect(entry?.submissions).toBe(1);
      expect(await eventsOf(database, order.orderId)).toEqual(['OrderProcessingStarted', 'OrderCompleted']);
    },
  );
});
