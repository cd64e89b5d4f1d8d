import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { ApprovalStatus, OrderStatus, type TopupOrder } from '@reseller/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { approvalOf, liveOrder, olga, omar, outcomeOf } from './live-orders';
import { adapterOf, ScriptedVendor } from './scripted-vendor';
import { bundleOrders, spawnOrders, type OrdersProcess } from './spawn-orders';
import { eventsOf, MIGRATIONS, startOrders, type RunningOrders } from './start-orders';

const FOUR_EYES = { FOUR_EYES_ABOVE_SAR: '9.99' };

let database: TestDatabase;
let bundle: Awaited<ReturnType<typeof bundleOrders>>;
let vendor: ScriptedVendor;
let finance: FakeFinance;
let survivor: RunningOrders;
let doomed: OrdersProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bundle = await bundleOrders();
  vendor = await new ScriptedVendor('acme').start();
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  survivor = await startOrders(database, finance, FOUR_EYES, { live: [adapterOf(vendor, 1)] });
});
afterEach(async () => {
  await doomed?.stop();
  await survivor.stop();
  await finance.stop();
});
afterAll(async () => {
  await vendor.stop();
  await bundle.remove();
  await database.drop();
});

/** Only the survivor carries on what is left behind. */
async function doom(point: CrashPoint): Promise<OrdersProcess> {
  return (doomed = await spawnOrders(bundle.file, {
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: database.url,
    FINANCE_ADDRESS: finance.address,
    SCENT_COMMERCE_ADDRESS: '127.0.0.1:1',
    RECOVERY_INTERVAL_MS: '60000',
    CRASH_POINT: point,
    ...FOUR_EYES,
  }));
}

const lapseLeases = () =>
  database.pool.query('UPDATE sagas SET lease_until = now(), wake_at = now() WHERE lease_until IS NOT NULL');
const stateOf = async (approvalId: string) =>
  (await survivor.approvals.getApproval({ approvalId }, olga)).approval?.status;
const statusOf = async ({ orderGlobalId }: TopupOrder) =>
  (await survivor.operations.getOrderTimeline({ orderGlobalId }, olga)).summary?.status;

async function expectReversedOnce(order: TopupOrder): Promise<void> {
  await eventually(async () => expect(await statusOf(order)).toBe(OrderStatus.REVERSED));
  expect(finance.available()).toBe('1000.00');
  expect(await eventsOf(database, order.orderId)).toEqual(['OrderCompleted', 'OrderReversed']);
}

describe('a process killed while a reversal is approved (spec §18.3)', () => {
  it('when it dies after the approval was made, then repeating the request returns that approval', async () => {
    const order = await liveOrder(survivor);
    expect(await outcomeOf(approvalOf(await doom('approval.request.after'), order))).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(await doomed?.ended).toBe('SIGKILL');
    const { rows } = await database.pool.query<{ id: string }>(
      'SELECT id FROM approvals WHERE subject = $1',
      [order.orderGlobalId],
    );
    expect(rows).toEqual([{ id: await approvalOf(survivor, order, omar) }]);
    expect(await statusOf(order)).toBe(OrderStatus.COMPLETED);
  });

  it('when it dies before decision and approval are committed, then neither is there, and it can be approved', async () => {
    const order = await liveOrder(survivor);
    const approvalId = await approvalOf(survivor, order);
    const process = await doom('approval.record.before');
    expect(await outcomeOf(process.approvals.approveApproval({ approvalId }, omar))).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(await doomed?.ended).toBe('SIGKILL');
    await lapseLeases();
    await eventually(async () => expect(await stateOf(approvalId)).toBe(ApprovalStatus.PENDING));
    expect(finance.available()).toBe('990.00');
    await survivor.approvals.approveApproval({ approvalId }, omar);
    await expectReversedOnce(order);
  });

  it.each<CrashPoint>([
    'decision.record.after',
    'funds.refund.before',
    'funds.refund.after',
    'order.end.after',
  ])('when it dies at %s, then the approval stands and the order is reversed once', async (point) => {
    const order = await liveOrder(survivor);
    const approvalId = await approvalOf(survivor, order);
    const process = await doom(point);
    expect(await outcomeOf(process.approvals.approveApproval({ approvalId }, omar))).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(await doomed?.ended).toBe('SIGKILL');
    expect(await stateOf(approvalId)).toBe(ApprovalStatus.APPROVED);
    await lapseLeases();
    await expectReversedOnce(order);
    expect(await outcomeOf(survivor.approvals.approveApproval({ approvalId }, omar))).toBe(
      'CONFLICT_APPROVAL_DECIDED',
    );
  });
});
