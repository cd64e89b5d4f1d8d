import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { ReturnReason, ReturnRequestStatus } from '@reseller/contracts';
import { codeOf, createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { v4 as uuid } from 'uuid';
import { operatorUserId } from '../src/products/scent/returns/domain/return-request';
import { PaidOrder, storyOf } from './fulfillment';
import { BRIEF, callOf, MIGRATIONS, operator, startOrders, type RunningOrders } from './start-orders';

let database: TestDatabase;
let finance: FakeFinance;
let shop: FakeShop;
let service: RunningOrders;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  finance = await new FakeFinance('10000.00').start();
  shop = await new FakeShop().start();
  service = await startOrders(database, finance, {}, { shop });
});
afterEach(async () => {
  await service.stop();
  await shop.stop();
  await finance.stop();
});
afterAll(() => database.drop());

const EXCEEDED = 'BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED';
const DECIDED = 'CONFLICT_RETURN_REQUEST_DECIDED';

async function delivered(...groups: number[]): Promise<PaidOrder> {
  const order = await PaidOrder.place(service, callOf());
  await order.handOver(...(groups.length > 0 ? groups : [0, 1]));
  return order;
}

const countOf = (codes: readonly unknown[], code: string): number =>
  codes.filter((one) => one === code).length;

describe('asking for a return (spec §8.1)', () => {
  it('when a request is made, then it waits with its lines and reads the same for partner and operator', async () => {
    const order = await delivered(0);
    const request = await order.requestReturn(0, 1);
    expect(request).toMatchObject({
      scentOrderId: order.made.orderId,
      orderGlobalId: order.made.orderGlobalId,
      fulfillmentGroupId: order.groupId(0),
      partnerId: order.call.partner?.partnerId,
      status: ReturnRequestStatus.PENDING,
      decidedAt: undefined,
      decidedByUserId: undefined,
      lines: [{ scentOrderLineId: order.made.lines[0]!.lineId, quantity: 1, reason: ReturnReason.DAMAGED }],
    });
    const { returnRequestId } = request;
    expect((await service.fulfillment.getReturnRequest({ returnRequestId }, operator)).returnRequest).toEqual(
      request,
    );
    expect(await order.state()).toEqual(['PARTIALLY_DELIVERED', ['DELIVERED', 'PENDING'], [0, 0]]);
    expect((await storyOf(database, order.made.orderId)).at(-1)).toBe(
      'ReturnRequestChanged PARTIALLY_DELIVERED PENDING',
    );
    expect(finance.refundsOf(order.made.orderGlobalId).size).toBe(0);
  });

  it('when a rule is broken, then it is the first broken one that answers', async () => {
    const order = await delivered(0);
    const [first, second] = order.made.lines;
    const refusalOf = (more: object, call = order.call): Promise<unknown> =>
      codeOf(
        service.returns.createReturnRequest(
          {
            scentOrderId: order.made.orderId,
            fulfillmentGroupId: order.groupId(0),
            lines: [{ scentOrderLineId: first!.lineId, quantity: 3, reason: ReturnReason.OTHER }],
            ...more,
          },
          call,
        ),
      );
    const of = (id: string) => [{ scentOrderLineId: id, quantity: 1, reason: ReturnReason.OTHER }];
    expect(await refusalOf({}, callOf())).toBe('NOT_FOUND_SCENT_ORDER');
    expect(await refusalOf({ scentOrderId: uuid() })).toBe('NOT_FOUND_SCENT_ORDER');
    expect(await refusalOf({ fulfillmentGroupId: uuid() })).toBe('NOT_FOUND_SCENT_ORDER');
    expect(await refusalOf({ lines: of(uuid()) })).toBe('NOT_FOUND_SCENT_ORDER');
    expect(await refusalOf({ lines: of(second!.lineId) })).toBe('NOT_FOUND_SCENT_ORDER');
    expect(await refusalOf({ fulfillmentGroupId: order.groupId(1), lines: of(second!.lineId) })).toBe(
      'BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED',
    );
    expect(await refusalOf({})).toBe(EXCEEDED);
    const most = [{ scentOrderLineId: first!.lineId, quantity: 2 ** 31 - 1, reason: ReturnReason.OTHER }];
    expect(await refusalOf({ lines: most })).toBe(EXCEEDED);
    const late = `UPDATE fulfillment_groups SET delivered_at = now() - interval '14 days' + $2::interval WHERE id = $1`;
    await database.pool.query(late, [order.groupId(0), '1 minute']);
    expect(await refusalOf({})).toBe(EXCEEDED);
    await database.pool.query(late, [order.groupId(0), '-1 millisecond']);
    expect(await refusalOf({})).toBe('BUSINESS_RETURN_REQUEST_WINDOW_CLOSED');
    const other = await PaidOrder.place(service, order.call);
    expect(await refusalOf({ scentOrderId: other.made.orderId })).toBe('NOT_FOUND_SCENT_ORDER');
  });

  it('when 20 requests want the last units at once, then no more is claimed than was delivered', async () => {
    const order = await delivered();
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(order.requestReturn(0, 1))));
    expect([countOf(codes, 'ok'), countOf(codes, EXCEEDED)]).toEqual([2, 18]);
    const { orderId: scentOrderId } = order.made;
    const page = { page: 1, pageSize: 1 };
    const list = await service.returns.listReturnRequests({ scentOrderId, page }, order.call);
    expect(list.page).toEqual({ page: 1, pageSize: 1, totalCount: 2, totalPages: 2 });
    const all = await service.returns.listReturnRequests({ scentOrderId, page: undefined }, order.call);
    expect(all.returnRequests[0]).toEqual(list.returnRequests[0]);
    const times = all.returnRequests.map(({ requestedAt }) => requestedAt!.getTime());
    expect(times).toEqual([...times].sort((a, b) => b - a));
    await order.decline(all.returnRequests[0]!.returnRequestId);
    expect(await codeOf(order.requestReturn(0, 1))).toBe('ok');
    expect(
      await codeOf(service.returns.listReturnRequests({ scentOrderId, page: undefined }, callOf())),
    ).toBe('NOT_FOUND_SCENT_ORDER');
  });
});

describe('deciding a return (spec §8.2)', () => {
  it('when everything comes back in parts, then the order is PartiallyReturned, then Returned, and all was refunded', async () => {
    const order = await delivered();
    const first = await order.requestReturn(0, 1);
    const approved = await order.approve(first.returnRequestId);
    expect(approved).toMatchObject({
      status: ReturnRequestStatus.APPROVED,
      decidedByUserId: operatorUserId('Olga'),
      declineReason: undefined,
    });
    expect(approved.decidedAt).toBeInstanceOf(Date);
    expect(await order.state()).toEqual(['PARTIALLY_RETURNED', ['DELIVERED', 'DELIVERED'], [1, 0]]);
    const { completedAt } = await order.read();
    for (const line of [0, 1]) await order.approve((await order.requestReturn(line, 1)).returnRequestId);
    expect(await order.state()).toEqual(['RETURNED', ['DELIVERED', 'DELIVERED'], [2, 1]]);
    expect((await order.read()).completedAt).toEqual(completedAt);
    const refunds = [...finance.refundsOf(order.made.orderGlobalId).values()];
    expect(refunds.map(({ refundedAmount }) => refundedAmount)).toEqual(['115.00', '115.00', '40.00']);
    expect(refunds.map(({ clawedBackAmount }) => clawedBackAmount)).toEqual(['11.50', '11.50', '4.60']);
    expect(shop.restocked.size).toBe(0);
    expect((await storyOf(database, order.made.orderId)).slice(5)).toEqual([
      'ReturnRequestChanged COMPLETED PENDING',
      'OrderReturned PARTIALLY_RETURNED 115.00',
      'ReturnRequestChanged PARTIALLY_RETURNED APPROVED',
      'ReturnRequestChanged PARTIALLY_RETURNED PENDING',
      'OrderReturned PARTIALLY_RETURNED 115.00',
      'ReturnRequestChanged PARTIALLY_RETURNED APPROVED',
      'ReturnRequestChanged PARTIALLY_RETURNED PENDING',
      'OrderReturned RETURNED 40.00',
      'ReturnRequestChanged RETURNED APPROVED',
    ]);
  });

  it('when a return comes before the last delivery, then the order still passes Completed', async () => {
    const order = await delivered(0);
    await order.approve((await order.requestReturn(0, 2)).returnRequestId);
    expect(await order.state()).toEqual(['PARTIALLY_DELIVERED', ['DELIVERED', 'PENDING'], [2, 0]]);
    await order.cancel(1);
    expect(await order.state()).toEqual(['RETURNED', ['DELIVERED', 'CANCELLED'], [2, 0]]);
    expect((await order.read()).completedAt).toBeInstanceOf(Date);
    expect((await storyOf(database, order.made.orderId)).slice(-4)).toEqual([
      'OrderReturned PARTIALLY_DELIVERED 230.00',
      'ReturnRequestChanged PARTIALLY_DELIVERED APPROVED',
      'FulfillmentGroupChanged RETURNED CANCELLED 1/2',
      'OrderCompleted COMPLETED 270.00',
    ]);
  });

  it('when a request is declined, then its reason is kept and its units can be asked for again', async () => {
    const order = await delivered();
    const { returnRequestId } = await order.requestReturn(0, 2);
    expect(await codeOf(order.requestReturn(0, 1))).toBe(EXCEEDED);
    expect(await order.decline(returnRequestId)).toMatchObject({
      status: ReturnRequestStatus.DECLINED,
      declineReason: 'worn',
      decidedByUserId: operatorUserId('Olga'),
    });
    for (const decide of [order.approve, order.decline])
      expect(await codeOf(decide(returnRequestId))).toBe(DECIDED);
    expect(await codeOf(order.requestReturn(0, 2))).toBe('ok');
    expect(finance.refundsOf(order.made.orderGlobalId).size).toBe(0);
    const tooLong = { returnRequestId, reason: 'x'.repeat(501) };
    expect(await codeOf(service.fulfillment.declineReturnRequest(tooLong, operator))).toBe(
      'VALIDATION_FAILED',
    );
  });

  it('when 20 operators approve at once, then it is refunded once and one of them has it', async () => {
    const order = await delivered();
    const { returnRequestId } = await order.requestReturn(0, 1);
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(order.approve(returnRequestId))));
    expect([countOf(codes, 'ok'), countOf(codes, DECIDED)]).toEqual([1, 19]);
    expect(await order.state()).toEqual(['PARTIALLY_RETURNED', ['DELIVERED', 'DELIVERED'], [1, 0]]);
    expect(finance.refundsOf(order.made.orderGlobalId).size).toBe(1);
    expect(await codeOf(order.approve(returnRequestId))).toBe(DECIDED);
  });

  it('when approvals race declines, then exactly one decision wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const order = await delivered(0);
      const { returnRequestId } = await order.requestReturn(0, 1);
      const decisions = [order.approve, order.decline, order.decline, order.approve];
      const codes = await Promise.all(decisions.map((decide) => codeOf(decide(returnRequestId))));
      expect([countOf(codes, 'ok'), countOf(codes, DECIDED)]).toEqual([1, 3]);
      const wasApproved = codes[0] === 'ok' || codes[3] === 'ok';
      expect(finance.refundsOf(order.made.orderGlobalId).size).toBe(wasApproved ? 1 : 0);
      expect((await order.state())[2]).toEqual([wasApproved ? 1 : 0, 0]);
    }
  });

  it('when finance is away or refuses, then the approval stands and is carried out later', async () => {
    await service.stop();
    service = await startOrders(database, finance, BRIEF, { shop });
    const order = await delivered();
    const { returnRequestId } = await order.requestReturn(0, 1);
    finance.fail('refundUnits', 'BUSINESS_INSUFFICIENT_BALANCE');
    expect(await codeOf(order.approve(returnRequestId))).toBe('BUSINESS_INSUFFICIENT_BALANCE');
    expect(await codeOf(order.decline(returnRequestId))).toBe(DECIDED);
    finance.fail('refundUnits', 'SERVICE_UNAVAILABLE');
    expect(await codeOf(order.approve(returnRequestId))).toBe('SERVICE_UNAVAILABLE');
    finance.recover();
    await eventually(async () => expect((await order.state())[2]).toEqual([1, 0]));
    expect(finance.refundsOf(order.made.orderGlobalId).size).toBe(1);
  });

  it('when operators list requests, then it is by status, of every partner; an unknown one is not found', async () => {
    const [one, other] = [await delivered(0), await delivered(0)];
    const pending = await one.requestReturn(0, 1);
    const approved = await other.approve((await other.requestReturn(0, 1)).returnRequestId);
    const idsOf = async (status: ReturnRequestStatus): Promise<string[]> => {
      const list = await service.fulfillment.listAllReturnRequests(
        { status, page: undefined, oldestFirst: false },
        operator,
      );
      return list.returnRequests.map(({ returnRequestId }) => returnRequestId);
    };
    expect((await idsOf(ReturnRequestStatus.PENDING))[0]).toBe(pending.returnRequestId);
    expect((await idsOf(ReturnRequestStatus.APPROVED))[0]).toBe(approved.returnRequestId);
    expect((await idsOf(ReturnRequestStatus.UNSPECIFIED)).slice(0, 2)).toEqual([
      approved.returnRequestId,
      pending.returnRequestId,
    ]);
    for (const id of [uuid(), 'none']) {
      expect(await codeOf(one.approve(id))).toBe('NOT_FOUND_RETURN_REQUEST');
      expect(await codeOf(one.decline(id))).toBe('NOT_FOUND_RETURN_REQUEST');
    }
  });
});
