import { expect } from '@jest/globals';
import type { Message } from '../contract';
import { events } from '../notation';
import type { World } from '../world';
import { askReturn, buyer, deliveredScent, paidScent, place, withGroup } from './arrange';
import { decide, withPending } from './operations.contract';
import { ORDER_TOPIC } from './order-messages';

const PACKAGE = 'reseller.orders.v1';
const GROUP = 'FulfillmentGroupChanged';
const DELIVERED = ['OrderProcessingStarted', GROUP, GROUP];

/** An order as its events must hold it. */
const snapshotOf = (order: Message, status: string, more: Message = {}): Message => ({
  order_id: order.order_id,
  order_global_id: order.order_global_id,
  partner_id: order.partner_id,
  environment: 'ENVIRONMENT_SANDBOX',
  product_type: 'total_amount_with_vat' in order ? 'PRODUCT_TYPE_SCENT' : 'PRODUCT_TYPE_TOPUP',
  external_reference: order.external_reference,
  amount: order.amount ?? order.total_amount_with_vat,
  currency: 'SAR',
  status: `ORDER_STATUS_${status}`,
  ...more,
});

/** The payloads of an order's events, once they are these, in this order, under its id, on the one topic. */
async function expectEvents(world: World, order: Message, ...types: string[]): Promise<Message[]> {
  const seen = await world.eventsOf(String(order.order_id), types.length);
  const expected = types.map((type) => [`${PACKAGE}.${type}`, ORDER_TOPIC]);
  expect(seen.map(({ type, topic }) => [type, topic])).toEqual(expected);
  return seen.map(({ payload }) => payload);
}

/** What orders-saga publishes. Each change of an order's status is one event, keyed by the order's id. */
export const published = events(ORDER_TOPIC, PACKAGE, {
  OrderProcessingStarted: {
    'tells of an order that the vendor has not decided': async (use) => {
      const order = await place(buyer(use), 'Topup', 'pending');
      const [event] = await use.eventsOfAtLeast(String(order.order_id), 1);
      expect(event?.payload).toEqual({ order: snapshotOf(order, 'PROCESSING') });
    },
    'tells of a scent order that is paid': async (use) => {
      const { order } = await paidScent(use);
      expect(await expectEvents(use, order, 'OrderProcessingStarted')).toEqual([
        { order: snapshotOf(order, 'PROCESSING') },
      ]);
    },
  },
  OrderCompleted: {
    'is the only event of an order that ends within its request': async (use) => {
      const order = await place(buyer(use));
      expect(await expectEvents(use, order, 'OrderCompleted')).toEqual([
        { order: snapshotOf(order, 'COMPLETED') },
      ]);
    },
  },
  OrderFailed: {
    'says why': async (use) => {
      const order = await place(buyer(use), 'Topup', 'refused');
      expect(await expectEvents(use, order, 'OrderFailed')).toEqual([
        { order: snapshotOf(order, 'FAILED', { failure_code: 'VENDOR_REFUSED' }) },
      ]);
    },
  },
  OrderCancelled: {
    'tells of an order that an operator ended before any vendor was asked': async (use) => {
      const order = await withPending(use, async (pending) => {
        await decide(use, 'CancelOrder', pending);
        return pending;
      });
      expect(await expectEvents(use, order, 'OrderCancelled')).toEqual([
        { order: snapshotOf(order, 'CANCELLED') },
      ]);
    },
    'comes after its groups’ when the last group of a scent order is cancelled': async (use) => {
      const { order } = await paidScent(use);
      await decide(use, 'CancelOrder', order);
      const payloads = await expectEvents(use, order, ...DELIVERED, 'OrderCancelled');
      expect(payloads[3]).toMatchObject({ order: { status: 'ORDER_STATUS_CANCELLED' } });
    },
  },
  OrderReversed: {
    'comes after the completion that it undoes': async (use) => {
      const order = await place(buyer(use));
      await decide(use, 'ReverseOrder', order);
      const [, payload] = await expectEvents(use, order, 'OrderCompleted', 'OrderReversed');
      expect(payload).toEqual({ order: snapshotOf(order, 'REVERSED') });
    },
  },
  OrderReturned: {
    'tells what was refunded, after the approval of the request': async (use) => {
      const paid = await deliveredScent(use);
      const { order_id } = paid.order;
      const { return_request_id } = await askReturn(paid);
      await use.call('ApproveReturnRequest', { return_request_id });
      const seen = await use.eventsOfAtLeast(String(order_id), 6);
      const types = seen.map(({ type }) => type.replace(`${PACKAGE}.`, ''));
      expect(types.slice(0, 4)).toEqual([...DELIVERED, 'ReturnRequestChanged']);
      expect(types.slice(4).sort()).toEqual(['OrderReturned', 'ReturnRequestChanged']);
      const returned = seen.find(({ type }) => type.endsWith('OrderReturned'));
      expect(returned?.payload).toMatchObject({ order: { order_id, amount: '115.00' } });
    },
  },
  FulfillmentGroupChanged: {
    'tells each move of a group, and how many are delivered': async (use) => {
      const { order, first } = await deliveredScent(use);
      const [, ...moves] = await expectEvents(use, order, ...DELIVERED);
      const about = { fulfillment_group_id: first.id, total_groups: 2 };
      expect(moves).toMatchObject([
        {
          ...about,
          order: snapshotOf(order, 'PROCESSING'),
          status: 'FULFILLMENT_GROUP_STATUS_SHIPPED',
          delivered_at: null,
          delivered_groups: 0,
        },
        {
          ...about,
          order: snapshotOf(order, 'PARTIALLY_DELIVERED'),
          status: 'FULFILLMENT_GROUP_STATUS_DELIVERED',
          delivered_at: expect.any(String),
          delivered_groups: 1,
        },
      ]);
    },
    'of a group that was cancelled, too': async (use) => {
      const { order, first } = await paidScent(use);
      await withGroup(use, 'Cancel', first);
      const [, cancelled] = await expectEvents(use, order, 'OrderProcessingStarted', GROUP);
      expect(cancelled).toMatchObject({ status: 'FULFILLMENT_GROUP_STATUS_CANCELLED', total_groups: 2 });
    },
  },
  ReturnRequestChanged: {
    'holds the request as it was made, and as it was declined': async (use) => {
      const paid = await deliveredScent(use);
      const made = await askReturn(paid);
      const { return_request_id } = made;
      const declined = await use.get('DeclineReturnRequest', { return_request_id, reason: 'worn' });
      const types = [...DELIVERED, 'ReturnRequestChanged', 'ReturnRequestChanged'];
      const payloads = await expectEvents(use, paid.order, ...types);
      expect(payloads.slice(3)).toMatchObject([{ return_request: made }, { return_request: declined }]);
    },
  },
});
