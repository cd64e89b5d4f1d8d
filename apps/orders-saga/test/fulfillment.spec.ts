import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeFinance, FakeShop } from '@reseller/contract-testing';
import { codeOf, createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { v4 as uuid } from 'uuid';
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

const place = (): Promise<PaidOrder> => PaidOrder.place(service, callOf());
const GROUP_CONFLICT = 'CONFLICT_FULFILLMENT_GROUP_STATUS';

describe('a paid scent order (spec §7.3)', () => {
  it('when its groups are shipped and delivered, then it follows them and every change is an event', async () => {
    const order = await place();
    expect(await codeOf(order.deliver(0))).toBe(GROUP_CONFLICT);
    await order.ship(0);
    expect(await order.state()).toEqual(['PROCESSING', ['SHIPPED', 'PENDING'], [0, 0]]);
    expect(await codeOf(order.ship(0))).toBe(GROUP_CONFLICT);
    await order.deliver(0);
    expect(await order.state()).toEqual(['PARTIALLY_DELIVERED', ['DELIVERED', 'PENDING'], [0, 0]]);
    expect((await order.read()).completedAt).toBeUndefined();
    for (const move of [order.ship, order.deliver, order.cancel])
      expect(await codeOf(move(0))).toBe(GROUP_CONFLICT);
    await order.ship(1);
    const response = await order.deliver(1);
    expect(response).toEqual(await order.read());
    expect(await order.state()).toEqual(['COMPLETED', ['DELIVERED', 'DELIVERED'], [0, 0]]);
    expect(response.completedAt).toBeInstanceOf(Date);
    expect(response.fulfillmentGroups.every(({ deliveredAt }) => deliveredAt !== undefined)).toBe(true);
    expect(await storyOf(database, order.made.orderId)).toEqual([
      'FulfillmentGroupChanged PROCESSING SHIPPED 0/2',
      'FulfillmentGroupChanged PARTIALLY_DELIVERED DELIVERED 1/2',
      'FulfillmentGroupChanged PARTIALLY_DELIVERED SHIPPED 1/2',
      'FulfillmentGroupChanged COMPLETED DELIVERED 2/2',
      'OrderCompleted COMPLETED 270.00',
    ]);
    const { orderGlobalId } = order.made;
    const { entries, scentOrder } = await service.operations.getOrderTimeline({ orderGlobalId }, operator);
    expect(scentOrder).toEqual(response);
    const steps = entries.filter(({ step }) => step.startsWith('operator.'));
    expect(steps.map(({ step }) => step)).toEqual([
      'operator.ship',
      'operator.deliver',
      'operator.ship',
      'operator.deliver',
    ]);
    expect(JSON.parse(steps[0]!.detailsJson)).toEqual({ operator: 'Olga', subjectId: order.groupId(0) });
    expect(await codeOf(service.operations.cancelOrder({ orderGlobalId, notes: 'x' }, operator))).toBe(
      'CONFLICT_ORDER_STATE',
    );
    expect(await codeOf(service.operations.reverseOrder({ orderGlobalId, notes: 'x' }, operator))).toBe(
      'CONFLICT_ORDER_STATE',
    );
  });

  it('when a group is cancelled, then its money, its units and, with the last one, its discount come back once', async () => {
    const order = await place();
    const { orderGlobalId, orderId } = order.made;
    await order.ship(0);
    await order.cancel(0);
    expect(await order.state()).toEqual(['PROCESSING', ['CANCELLED', 'PENDING'], [0, 0]]);
    const refunds = finance.refundsOf(orderGlobalId);
    expect(refunds.get(`group:${order.groupId(0)}`)).toMatchObject({
      refundedAmount: '230.00',
      clawedBackAmount: '23.00',
    });
    expect(shop.restocked.get(order.groupId(0))).toEqual([
      { variantId: order.made.lines[0]!.variantId, quantity: 2 },
    ]);
    expect(shop.givenBack.has(orderGlobalId)).toBe(false);
    expect(await codeOf(order.cancel(0))).toBe(GROUP_CONFLICT);
    expect(await codeOf(order.ship(0))).toBe(GROUP_CONFLICT);
    await order.cancel(1);
    expect(await order.state()).toEqual(['CANCELLED', ['CANCELLED', 'CANCELLED'], [0, 0]]);
    expect((await order.read()).completedAt).toBeInstanceOf(Date);
    expect(shop.givenBack.has(orderGlobalId)).toBe(true);
    expect(refunds.size).toBe(2);
    expect(await storyOf(database, orderId)).toEqual([
      'FulfillmentGroupChanged PROCESSING SHIPPED 0/2',
      'FulfillmentGroupChanged PROCESSING CANCELLED 0/2',
      'FulfillmentGroupChanged CANCELLED CANCELLED 0/2',
      'OrderCancelled CANCELLED 270.00',
    ]);
  });

  it('when one group is delivered and the other cancelled, then it is Completed in either order', async () => {
    const [first, second] = [await place(), await place()];
    await first.handOver(0);
    await first.cancel(1);
    await second.cancel(1);
    await second.handOver(0);
    for (const order of [first, second]) {
      expect(await order.state()).toEqual(['COMPLETED', ['DELIVERED', 'CANCELLED'], [0, 0]]);
      expect(shop.givenBack.has(order.made.orderGlobalId)).toBe(false);
      const story = await storyOf(database, order.made.orderId);
      expect(story.filter((one) => one.startsWith('Order'))).toEqual(['OrderCompleted COMPLETED 270.00']);
    }
  });

  it('when an operator cancels the order, then every open group is cancelled before the response, by however many at once', async () => {
    const order = await place();
    const { orderGlobalId } = order.made;
    await order.ship(1);
    const cancels = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        service.operations.cancelOrder({ orderGlobalId, notes: 'gone' }, operator),
      ),
    );
    // One that comes when all is over has nothing left to cancel.
    const late = cancels.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    for (const error of late) expect(error).toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
    const done = cancels.find((one) => one.status === 'fulfilled');
    expect(done?.value.order?.product).toEqual({ $case: 'scent', value: await order.read() });
    expect(await order.state()).toEqual(['CANCELLED', ['CANCELLED', 'CANCELLED'], [0, 0]]);
    const refunded = [...finance.refundsOf(orderGlobalId).values()].map((one) => one.refundedAmount);
    expect(refunded.sort()).toEqual(['230.00', '40.00']);
    const partly = await place();
    await partly.handOver(0);
    await service.operations.cancelOrder({ orderGlobalId: partly.made.orderGlobalId, notes: 'x' }, operator);
    expect(await partly.state()).toEqual(['COMPLETED', ['DELIVERED', 'CANCELLED'], [0, 0]]);
  });

  it('when finance is away, then the group is fenced, the operator gets an error that says so, and the rest follows by itself', async () => {
    await service.stop();
    service = await startOrders(database, finance, BRIEF, { shop });
    const order = await place();
    finance.fail('refundUnits', 'SERVICE_UNAVAILABLE');
    expect(await codeOf(order.cancel(0))).toBe('SERVICE_UNAVAILABLE');
    expect(await codeOf(order.ship(0))).toBe(GROUP_CONFLICT);
    expect(await order.state()).toEqual(['PROCESSING', ['PENDING', 'PENDING'], [0, 0]]);
    finance.recover();
    await eventually(async () => expect((await order.state())[1][0]).toBe('CANCELLED'));
    expect(finance.refundsOf(order.made.orderGlobalId).size).toBe(1);
  });

  it.each(['refundUnits', 'restockUnits', 'giveBackRedemption'])(
    'when the response of %s is lost, then the repetition has it once',
    async (method) => {
      const order = await place();
      for (const service of [finance, shop]) service.fail(method, 'lost-reply', 1);
      await order.cancel(0);
      await order.cancel(1);
      expect(await order.state()).toEqual(['CANCELLED', ['CANCELLED', 'CANCELLED'], [0, 0]]);
      expect(finance.refundsOf(order.made.orderGlobalId).size).toBe(2);
      expect((await storyOf(database, order.made.orderId)).length).toBe(3);
    },
  );

  it('when 20 operators cancel a group at once while others ship it, then it is refunded once and one call has it', async () => {
    const order = await place();
    const codes = await Promise.all([
      ...Array.from({ length: 20 }, () => codeOf(order.cancel(0))),
      ...Array.from({ length: 5 }, () => codeOf(order.ship(0))),
    ]);
    expect(codes.slice(0, 20).filter((code) => code === 'ok')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['ok', GROUP_CONFLICT]));
    expect((await order.state())[1][0]).toBe('CANCELLED');
    expect(finance.refundsOf(order.made.orderGlobalId).size).toBe(1);
  });

  it('when an id is unknown or no id, then there is no such group', async () => {
    for (const fulfillmentGroupId of [uuid(), 'none']) {
      for (const method of [
        'getOrderOfFulfillmentGroup',
        'shipFulfillmentGroup',
        'deliverFulfillmentGroup',
        'cancelFulfillmentGroup',
      ] as const) {
        expect(await codeOf(service.fulfillment[method]({ fulfillmentGroupId }, operator))).toBe(
          'NOT_FOUND_FULFILLMENT_GROUP',
        );
      }
    }
  });
});
