import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { Environment, OrderStatus, type TopupOrder } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import type { FAILOVER_POINTS } from './crash-cells';
import { adapterOf, ScriptedVendor } from './scripted-vendor';
import { bundleOrders, spawnOrders } from './spawn-orders';
import { callOf, create, MIGRATIONS, startOrders, topup, type RunningOrders } from './start-orders';

type FailoverPoint = (typeof FAILOVER_POINTS)[number];

let database: TestDatabase;
let bundle: Awaited<ReturnType<typeof bundleOrders>>;
let finance: FakeFinance;
let first: ScriptedVendor;
let second: ScriptedVendor;
let call: CallContext;
let survivor: RunningOrders;
let adapters: ReturnType<typeof adapterOf>[];

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bundle = await bundleOrders();
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  first = await new ScriptedVendor('first').start();
  second = await new ScriptedVendor('second').start();
  call = callOf(undefined, Environment.LIVE);
  adapters = [adapterOf(first, 1), adapterOf(second, 2)];
});
afterEach(async () => {
  await survivor.stop();
  for (const { vendor } of adapters) await vendor.close();
  for (const one of [first, second, finance]) await one.stop();
});
afterAll(async () => {
  await bundle.remove();
  await database.drop();
});

/** Creates an order in a process that is killed at this point, in the create or, `later`, when it polls. */
async function dieAt(point: FailoverPoint, when: 'at once' | 'later'): Promise<string> {
  const vendors = [first, second].map(({ name, url }, n) => ({ name, url, priority: n + 1 }));
  const each = { apiKey: 'key', products: ['Topup'], geoScopes: ['*'] };
  const doomed = await spawnOrders(bundle.file, {
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: database.url,
    FINANCE_ADDRESS: finance.address,
    SCENT_COMMERCE_ADDRESS: '127.0.0.1:1',
    RECOVERY_INTERVAL_MS: when === 'later' ? '20' : '60000',
    VENDOR_RETRY_BASE_MS: '10',
    VENDOR_POLL_BASE_MS: '10',
    VENDORS: JSON.stringify(vendors.map((vendor) => ({ ...vendor, ...each }))),
    CRASH_POINT: point,
  });
  const created = create(doomed, topup(), call).then(
    ({ status }) => status,
    ({ code }: { code: string }) => code,
  );
  // It may die in the moment after it responded, and take the response along.
  const responses =
    when === 'later' ? [OrderStatus.PROCESSING, 'SERVICE_UNAVAILABLE'] : ['SERVICE_UNAVAILABLE'];
  expect(responses).toContain(await created);
  expect(await doomed.ended).toBe('SIGKILL');
  await doomed.stop();
  const { rows } = await database.pool.query<{ id: string }>(
    `UPDATE sagas SET lease_until = now(), wake_at = now()
     WHERE order_id = (SELECT id FROM orders WHERE partner_id = $1) RETURNING order_id AS id`,
    [call.partner?.partnerId],
  );
  return rows[0]!.id;
}

async function carryOn(): Promise<void> {
  survivor = await startOrders(database, finance, {}, { live: adapters });
}

const read = async (orderId: string): Promise<TopupOrder> =>
  (await survivor.topups.getTopupOrder({ orderId }, call)).order!;

async function expectDeliveredBy(orderId: string, vendor: ScriptedVendor): Promise<void> {
  await eventually(async () => expect((await read(orderId)).status).toBe(OrderStatus.COMPLETED));
  const { orderGlobalId, vendorOrderId } = await read(orderId);
  expect(vendorOrderId).toBe(`${vendor.name}-1`);
  expect([...first.delivered, ...second.delivered]).toEqual([orderGlobalId]);
  expect(finance.charges()).toBe(1);
}

describe('a process killed while an order changes vendors', () => {
  it('when it dies before the change is recorded, then only the first vendor is called, since nobody is certain any more', async () => {
    await first.stop();
    const orderId = await dieAt('step.replace.before', 'at once');
    await carryOn();
    await eventually(async () => expect((await read(orderId)).currentRetryCount).toBeGreaterThan(1));
    expect(second.requests).toEqual([]);
    await first.start();
    await expectDeliveredBy(orderId, first);
  });

  it('when it dies after the change is recorded, then only the second vendor is called, by what it knows of the key', async () => {
    await first.stop();
    const orderId = await dieAt('step.replace.after', 'at once');
    await first.start();
    await carryOn();
    await expectDeliveredBy(orderId, second);
    expect(first.requests).toEqual([]);
    expect(second.requests.map((request) => request.split(' ')[0])).toEqual(['GET', 'POST']);
  });

  it.each(['vendor.choose.before', 'vendor.choose.after'] as const)(
    'when it dies at %s, with no vendor having taken the order, then whoever carries it on chooses afresh',
    async (point) => {
      // They go on listening: a port that is given up may be another process's in a moment, which says nothing certain.
      for (const { submits } of [first, second])
        submits.push(...Array.from({ length: 10_000 }, () => 'not-accepted' as const));
      const orderId = await dieAt(point, 'later');
      second.submits.length = 0;
      await carryOn();
      await expectDeliveredBy(orderId, second);
    },
  );
});
