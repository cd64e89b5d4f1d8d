import { expect } from '@jest/globals';
import type { EventContract, Message } from '../contract';
import { list, part, text } from '../message';
import type { World } from '../world';
import {
  askReturn,
  deliveredScent,
  fundedPartner,
  operator,
  paidScent,
  place,
  topupRequest,
  whileRefused,
  withGroup,
} from './arrange';
import { ORDER_TOPIC } from './order-messages';

const PACKAGE = 'reseller.orders.v1.';

/** An order as its events must hold it. */
const snapshotOf = (order: Message, status: string, more: Message = {}): Message => ({
  order_id: order['order_id'],
  order_global_id: order['order_global_id'],
  partner_id: order['partner_id'],
  environment: 'ENVIRONMENT_SANDBOX',
  product_type: 'total_amount_with_vat' in order ? 'PRODUCT_TYPE_SCENT' : 'PRODUCT_TYPE_TOPUP',
  external_reference: order['external_reference'],
  amount: order['amount'] ?? order['total_amount_with_vat'],
  currency: 'SAR',
  status: `ORDER_STATUS_${status}`,
  ...more,
});

/** Waits for an order's events; they must be these, in this order, under its id, on the one topic. */
async function expectEvents(world: World, order: Message, types: readonly string[]): Promise<Message[]> {
  const events = await world.eventsOf(text(order, 'order_id'), types.length);
  expect(events.map(({ type, topic }) => [type, topic])).toEqual(
    types.map((type) => [`${PACKAGE}${type}`, ORDER_TOPIC]),
  );
  return events.map(({ payload }) => payload);
}

const decide = (world: World, rpc: string, order: Message) =>
  world.call(
    `OrderOperationsService.${rpc}`,
    { order_global_id: order['order_global_id'], notes: '' },
    operator,
  );

const event = (type: string, promises: EventContract['promises']): EventContract => ({
  type: `${PACKAGE}${type}`,
  topic: ORDER_TOPIC,
  promises,
});

/** What orders-saga tells of. Each change of an order's status is one event, keyed by the order's id. */
export const published: EventContract[] = [
  event('OrderProcessingStarted', {
    'tells of an order that the vendor has not decided': async (world) => {
      const order = await place(world, 'Topup', fundedPartner(), topupRequest('pending'));
      const [payload] = (await world.eventsOfAtLeast(text(order, 'order_id'), 1)).map((one) => one.payload);
      expect(payload).toEqual({ order: snapshotOf(order, 'PROCESSING') });
    },
    'tells of a scent order that is paid': async (world) => {
      const { order } = await paidScent(world);
      const [payload] = await expectEvents(world, order, ['OrderProcessingStarted']);
      expect(payload).toEqual({ order: snapshotOf(order, 'PROCESSING') });
    },
  }),
  event('OrderCompleted', {
    'is the only event of an order that ends within its request': async (world) => {
      const order = await place(world, 'Topup', fundedPartner(), topupRequest());
      const [payload] = await expectEvents(world, order, ['OrderCompleted']);
      expect(payload).toEqual({ order: snapshotOf(order, 'COMPLETED') });
    },
  }),
  event('OrderFailed', {
    'says why': async (world) => {
      const order = await place(world, 'Topup', fundedPartner(), topupRequest('refused'));
      const [payload] = await expectEvents(world, order, ['OrderFailed']);
      expect(payload).toEqual({ order: snapshotOf(order, 'FAILED', { failure_code: 'VENDOR_REFUSED' }) });
    },
  }),
  event('OrderCancelled', {
    'tells of an order that an operator ended before any vendor was asked': async (world) => {
      const partner = fundedPartner();
      const away = { dependency: 'finance', method: 'reserveFunds' } as const;
      const order = await whileRefused(world, { ...away, code: 'SERVICE_UNAVAILABLE' }, partner, async () => {
        await place(world, 'Topup', partner, topupRequest()).catch(() => undefined);
        const mine = await world.call('OrderOperationsService.ListAllOrders', { partner_id: partner.id });
        const [pending] = list(mine, 'orders');
        if (!pending) throw new Error('the order is not there');
        await decide(world, 'CancelOrder', pending);
        return pending;
      });
      const [payload] = await expectEvents(world, order, ['OrderCancelled']);
      expect(payload).toEqual({ order: snapshotOf(order, 'CANCELLED') });
    },
    'comes after its groups’ when the last group of a scent order is cancelled': async (world) => {
      const { order } = await paidScent(world);
      await decide(world, 'CancelOrder', order);
      const events = await expectEvents(world, order, [
        'OrderProcessingStarted',
        'FulfillmentGroupChanged',
        'FulfillmentGroupChanged',
        'OrderCancelled',
      ]);
      expect(events[3]).toMatchObject({ order: { status: 'ORDER_STATUS_CANCELLED' } });
    },
  }),
  event('OrderReversed', {
    'comes after the completion that it undoes': async (world) => {
      const order = await place(world, 'Topup', fundedPartner(), topupRequest());
      await decide(world, 'ReverseOrder', order);
      const [, payload] = await expectEvents(world, order, ['OrderCompleted', 'OrderReversed']);
      expect(payload).toEqual({ order: snapshotOf(order, 'REVERSED') });
    },
  }),
  event('OrderReturned', {
    'tells what was refunded, after the approval of the request': async (world) => {
      const paid = await deliveredScent(world);
      const { return_request_id } = await askReturn(world, paid, paid.first, 1);
      await world.call('FulfillmentOperationsService.ApproveReturnRequest', { return_request_id }, operator);
      const events = await world.eventsOfAtLeast(text(paid.order, 'order_id'), 6);
      const types = events.map(({ type }) => type.replace(PACKAGE, ''));
      expect(types.slice(0, 4)).toEqual([
        'OrderProcessingStarted',
        'FulfillmentGroupChanged',
        'FulfillmentGroupChanged',
        'ReturnRequestChanged',
      ]);
      expect([...types.slice(4)].sort()).toEqual(['OrderReturned', 'ReturnRequestChanged']);
      const returned = events.find(({ type }) => type.endsWith('OrderReturned'));
      expect(returned?.payload).toMatchObject({
        order: { order_id: paid.order['order_id'], amount: '115.00' },
      });
    },
  }),
  event('FulfillmentGroupChanged', {
    'tells each move of a group, and how many are delivered': async (world) => {
      const { order, first } = await deliveredScent(world);
      const [, shipped, delivered] = await expectEvents(world, order, [
        'OrderProcessingStarted',
        'FulfillmentGroupChanged',
        'FulfillmentGroupChanged',
      ]);
      const about = { fulfillment_group_id: first.id, total_groups: 2 };
      expect(shipped).toMatchObject({
        ...about,
        order: snapshotOf(order, 'PROCESSING'),
        status: 'FULFILLMENT_GROUP_STATUS_SHIPPED',
        delivered_at: null,
        delivered_groups: 0,
      });
      expect(delivered).toMatchObject({
        ...about,
        order: snapshotOf(order, 'PARTIALLY_DELIVERED'),
        status: 'FULFILLMENT_GROUP_STATUS_DELIVERED',
        delivered_at: expect.any(String),
        delivered_groups: 1,
      });
    },
    'of a group that was cancelled, too': async (world) => {
      const { order, first } = await paidScent(world);
      await withGroup(world, 'Cancel', first.id);
      const [, cancelled] = await expectEvents(world, order, [
        'OrderProcessingStarted',
        'FulfillmentGroupChanged',
      ]);
      expect(cancelled).toMatchObject({ status: 'FULFILLMENT_GROUP_STATUS_CANCELLED', total_groups: 2 });
    },
  }),
  event('ReturnRequestChanged', {
    'holds the request as it was made, and as it was declined': async (world) => {
      const paid = await deliveredScent(world);
      const request = await askReturn(world, paid, paid.first);
      const { return_request_id } = request;
      const decided = await world.call(
        'FulfillmentOperationsService.DeclineReturnRequest',
        { return_request_id, reason: 'worn' },
        operator,
      );
      const events = await expectEvents(world, paid.order, [
        'OrderProcessingStarted',
        'FulfillmentGroupChanged',
        'FulfillmentGroupChanged',
        'ReturnRequestChanged',
        'ReturnRequestChanged',
      ]);
      expect(events[3]).toMatchObject({ return_request: request });
      expect(events[4]).toMatchObject({ return_request: part(decided, 'return_request') });
    },
  }),
];
