import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import {
  ApprovalAction,
  ApprovalStatus,
  Environment,
  OrderStatus,
  type TopupOrder,
} from '@reseller/contracts';
import {
  codeOf,
  createTestDatabase,
  eventually,
  olga,
  omar,
  tokenOfOlga,
  type TestDatabase,
} from '@reseller/testing';
import { approvalOf, liveOrder } from './live-orders';
import { adapterOf, ScriptedVendor } from './scripted-vendor';
import {
  BRIEF,
  callOf,
  create,
  eventsOf,
  MIGRATIONS,
  startOrders,
  topup,
  type RunningOrders,
} from './start-orders';

const SETTINGS = { FOUR_EYES_ABOVE_SAR: '9.99' };
let database: TestDatabase;
let vendor: ScriptedVendor;
let finance: FakeFinance;
let service: RunningOrders;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  vendor = await new ScriptedVendor('acme').start();
});
beforeEach(async () => {
  finance = await new FakeFinance('1000.00').start();
  service = await startOrders(database, finance, SETTINGS, { live: [adapterOf(vendor, 1)] });
});
afterEach(async () => {
  await service.stop();
  await finance.stop();
});
afterAll(async () => {
  await vendor.stop();
  await database.drop();
});

const get = async (approvalId: string) =>
  (await service.approvals.getApproval({ approvalId }, olga)).approval;
const approve = (approvalId: string, by = omar) => service.approvals.approveApproval({ approvalId }, by);
const reject = (approvalId: string, by = omar) => service.approvals.rejectApproval({ approvalId }, by);
const statusOf = async ({ orderGlobalId }: TopupOrder) =>
  (await service.operations.getOrderTimeline({ orderGlobalId }, olga)).summary?.status;
/** Of the one order that is worth 10.00: what its charge left, or all when it was given back. */
const CHARGED = '990.00';
const REFUNDED = '1000.00';

describe('reversals that need a second operator (spec §18.3)', () => {
  it('when an order in live is worth more than the limit, then it is reversed once another operator approves it', async () => {
    const order = await liveOrder(service);
    const approvalId = await approvalOf(service, order);
    expect([await statusOf(order), finance.available()]).toEqual([OrderStatus.COMPLETED, CHARGED]);
    const { approval } = await approve(approvalId);
    expect(approval).toMatchObject({
      ...{ id: approvalId, status: ApprovalStatus.APPROVED, action: ApprovalAction.ORDER_REVERSE },
      ...{ partnerId: order.partnerId, environment: Environment.LIVE, amount: '10.00' },
      ...{ subject: order.orderGlobalId, notes: 'sold twice', requestedBy: 'Olga', decidedBy: 'Omar' },
    });
    expect([await statusOf(order), finance.available()]).toEqual([OrderStatus.REVERSED, REFUNDED]);
    expect(await eventsOf(database, order.orderId)).toEqual(['OrderCompleted', 'OrderReversed']);
    const { entries } = await service.operations.getOrderTimeline(order, olga);
    const decision = entries.find(({ step }) => step === 'operator.reverse');
    expect(JSON.parse(decision?.detailsJson ?? '')).toMatchObject({
      operator: 'Olga',
      approvedBy: 'Omar',
      approvalId,
    });
    expect(await codeOf(service.operations.reverseOrder({ ...order, notes: 'x' }, olga))).toBe(
      'CONFLICT_ORDER_STATE',
    );
  });

  it('when it is not worth more, or is of the sandbox, then it needs nobody else', async () => {
    const small = await liveOrder(service, '9.99');
    const sandbox = await create(service, topup(), callOf());
    for (const order of [small, sandbox]) {
      await service.operations.reverseOrder({ ...order, notes: 'x' }, olga);
      expect(await statusOf(order)).toBe(OrderStatus.REVERSED);
    }
  });

  it('when it is requested again, by whomever and for whatever reason, then it is the same approval', async () => {
    const order = await liveOrder(service);
    const ids = await Promise.all([
      ...[olga, omar, tokenOfOlga].map((by) => approvalOf(service, order, by)),
      approvalOf(service, order, omar, 'another reason'),
    ]);
    expect(new Set(ids).size).toBe(1);
  });

  it('when the order cannot be reversed anyway, then that is the refusal', async () => {
    vendor.submits.push('refuse');
    const failed = await liveOrder(service);
    const unknown = { orderGlobalId: 'TU-01K8QM071DFSARP6HZ9SEPRYWA', notes: 'x' };
    expect(await codeOf(approvalOf(service, failed))).toBe('CONFLICT_ORDER_STATE');
    expect(await codeOf(service.operations.reverseOrder(unknown, olga))).toBe('NOT_FOUND_ORDER');
    const { rows } = await database.pool.query('SELECT FROM approvals WHERE subject = $1', [
      failed.orderGlobalId,
    ]);
    expect(rows).toEqual([]);
  });

  it('when whoever requested it decides it, with a session or a token of theirs, then it is refused', async () => {
    const order = await liveOrder(service);
    const id = await approvalOf(service, order);
    for (const by of [olga, tokenOfOlga])
      for (const decide of [approve, reject])
        expect(await codeOf(decide(id, by))).toBe('FORBIDDEN_OWN_APPROVAL');
    expect((await get(id))?.status).toBe(ApprovalStatus.PENDING);
  });

  it('when many decide at once, then one decision holds and at most one refund follows', async () => {
    const order = await liveOrder(service);
    const id = await approvalOf(service, order);
    const others = Array.from({ length: 6 }, (_, n) => ({ ...omar, operatorAccount: `other ${n}` }));
    const codes = await Promise.all(
      others.map((by, n) => codeOf(n === 5 ? reject(id, by) : approve(id, by))),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['ok', 'CONFLICT_APPROVAL_DECIDED']));
    const isApproved = (await get(id))?.status === ApprovalStatus.APPROVED;
    const ends = isApproved ? OrderStatus.REVERSED : OrderStatus.COMPLETED;
    await eventually(async () => expect(await statusOf(order)).toBe(ends));
    expect(finance.available()).toBe(isApproved ? REFUNDED : CHARGED);
  });

  it('when the order cannot be reversed any more, then it is refused and waits on', async () => {
    const order = await liveOrder(service);
    const id = await approvalOf(service, order);
    // As the version before does, which knows no approvals.
    await service.stop();
    service = await startOrders(database, finance);
    await service.operations.reverseOrder({ ...order, notes: 'x' }, olga);
    expect(await codeOf(approve(id))).toBe('CONFLICT_ORDER_STATE');
    expect((await get(id))?.status).toBe(ApprovalStatus.PENDING);
    expect(finance.available()).toBe(REFUNDED);
  });

  it('when finance is away, then it is approved, and the refund follows by itself', async () => {
    await service.stop();
    const settings = { ...SETTINGS, ...BRIEF };
    service = await startOrders(database, finance, settings, { live: [adapterOf(vendor, 1)] });
    const order = await liveOrder(service);
    const id = await approvalOf(service, order);
    const recover = finance.fail('refundFunds', 'SERVICE_UNAVAILABLE', Number.POSITIVE_INFINITY);
    expect((await approve(id)).approval?.status).toBe(ApprovalStatus.APPROVED);
    expect(await statusOf(order)).toBe(OrderStatus.COMPLETED);
    recover();
    await eventually(async () => expect(await statusOf(order)).toBe(OrderStatus.REVERSED));
    expect(finance.available()).toBe(REFUNDED);
  });

  it('when it is rejected or has lapsed, then it is decided, and another may be requested', async () => {
    const order = await liveOrder(service);
    const rejected = await approvalOf(service, order);
    await reject(rejected);
    const lapsed = await approvalOf(service, order);
    await database.pool.query('UPDATE approvals SET expires_at = clock_timestamp() WHERE id = $1', [lapsed]);
    expect((await get(lapsed))?.status).toBe(ApprovalStatus.LAPSED);
    for (const id of [rejected, lapsed])
      for (const decide of [approve, reject])
        expect(await codeOf(decide(id))).toBe('CONFLICT_APPROVAL_DECIDED');
    const third = await approvalOf(service, order);
    expect(new Set([rejected, lapsed, third]).size).toBe(3);
    expect([await statusOf(order), finance.available()]).toEqual([OrderStatus.COMPLETED, CHARGED]);
  });
});
