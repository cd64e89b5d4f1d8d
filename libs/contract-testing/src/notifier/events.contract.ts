import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import { WEBHOOK_EVENTS } from '@reseller/presenters';
import { v7 as uuidv7 } from 'uuid';
import type { ConsumedEventContract, Message } from '../contract';
import { orderSnapshot } from '../orders/order-messages';
import { coderOf } from '../reader';
import type { Partner, World } from '../world';
import { deliveriesOf, receiver, subscribed } from './arrange';
import { isSignedWith } from './receiver';

const AT = new Date('2026-01-15T09:30:00.123Z');

/** What an event of an order says to partners. */
const orderData = (order: Message, status: string) => ({
  orderGlobalId: order['order_global_id'],
  partnerId: order['partner_id'],
  productType: 'Topup',
  externalReference: 'INV-1',
  amount: 25.5,
  currency: 'SAR',
  failureCode: order['failure_code'] ?? null,
  status,
  customerRef: null,
});

interface Told {
  readonly type: string;
  readonly topic: string;
  readonly key: string;
  readonly payload: Message;
  readonly data: Message;
}

type Row = readonly [
  event: string,
  publicName: string,
  subscribesTo: string,
  tell: (partner: Partner) => Omit<Told, 'type' | 'topic'>,
];

const ofOrder =
  (status: string, shown: string, more: Message = {}) =>
  (partner: Partner) => {
    const order = orderSnapshot(partner, { status: `ORDER_STATUS_${status}`, ...more });
    return { key: order.order_id, payload: { order }, data: orderData(order, shown) };
  };

function groupChanged(partner: Partner) {
  const order = orderSnapshot(partner);
  const group = uuidv7();
  return {
    key: order.order_id,
    payload: {
      order,
      fulfillment_group_id: group,
      status: 'FULFILLMENT_GROUP_STATUS_DELIVERED',
      delivered_at: AT,
      total_groups: 2,
      delivered_groups: 1,
    },
    data: {
      orderGlobalId: order['order_global_id'],
      scentOrderId: order.order_id,
      partnerId: partner.id,
      externalReference: 'INV-1',
      fulfillmentGroupId: group,
      status: 'Delivered',
      deliveredAt: AT.toISOString(),
      deliveryRollup: { totalGroups: 2, deliveredGroups: 1 },
    },
  };
}

function returnChanged(partner: Partner) {
  const order = orderSnapshot(partner);
  const ids = { request: uuidv7(), group: uuidv7(), line: uuidv7(), orderLine: uuidv7() };
  return {
    key: order.order_id,
    payload: {
      order,
      return_request: {
        return_request_id: ids.request,
        scent_order_id: order.order_id,
        order_global_id: order['order_global_id'],
        fulfillment_group_id: ids.group,
        partner_id: partner.id,
        status: 'RETURN_REQUEST_STATUS_DECLINED',
        requested_at: AT,
        decided_at: AT,
        decided_by_user_id: 'Olga',
        decline_reason: 'worn',
        lines: [
          {
            line_id: ids.line,
            scent_order_line_id: ids.orderLine,
            quantity: 2,
            reason: 'RETURN_REASON_DAMAGED',
          },
        ],
      },
    },
    data: {
      returnRequestId: ids.request,
      scentOrderId: order.order_id,
      orderGlobalId: order['order_global_id'],
      fulfillmentGroupId: ids.group,
      partnerId: partner.id,
      status: 'Declined',
      requestedAt: AT.toISOString(),
      decidedAt: AT.toISOString(),
      declineReason: 'worn',
      lines: [expect.objectContaining({ quantity: 2 })] as unknown as Message[],
    },
  };
}

function backInStock({ id, ref }: Partner) {
  const registration = uuidv7();
  const variant = uuidv7();
  return {
    key: variant,
    payload: {
      ...ref,
      registration_id: registration,
      variant_id: variant,
      sku: 'SKU-1',
      customer_ref: 'c-1',
      available_quantity: 3,
    },
    data: {
      registrationId: registration,
      variantId: variant,
      sku: 'SKU-1',
      partnerId: id,
      customerRef: 'c-1',
      availability: 'Limited',
      availableQuantity: 3,
    },
  };
}

/** The topic that an event is on. */
function topicOf(event: string): string {
  const declared = WEBHOOK_EVENTS.find(({ sources }) => sources.some((one) => one === `reseller.${event}`));
  if (!declared) throw new Error(`${event} becomes no webhook`);
  return declared.topic;
}

/** Which event becomes which public one. */
const ROWS: readonly Row[] = [
  [
    'orders.v1.OrderProcessingStarted',
    'order.completed',
    'ORDER_COMPLETED',
    ofOrder('PROCESSING', 'Processing'),
  ],
  ['orders.v1.OrderCompleted', 'order.completed', 'ORDER_COMPLETED', ofOrder('COMPLETED', 'Completed')],
  [
    'orders.v1.OrderFailed',
    'order.failed',
    'ORDER_FAILED',
    ofOrder('FAILED', 'Failed', { failure_code: 'VENDOR_REFUSED' }),
  ],
  ['orders.v1.OrderCancelled', 'order.cancelled', 'ORDER_CANCELLED', ofOrder('CANCELLED', 'Cancelled')],
  ['orders.v1.OrderReversed', 'order.cancelled', 'ORDER_CANCELLED', ofOrder('REVERSED', 'Reversed')],
  ['orders.v1.OrderReturned', 'order.returned', 'ORDER_RETURNED', ofOrder('RETURNED', 'Returned')],
  ['orders.v1.FulfillmentGroupChanged', 'order.fulfilment-updated', 'ORDER_FULFILMENT_UPDATED', groupChanged],
  [
    'orders.v1.ReturnRequestChanged',
    'order.return-request.updated',
    'ORDER_RETURN_REQUEST_UPDATED',
    returnChanged,
  ],
  ['scent.v1.VariantBackInStock', 'variant.back-in-stock', 'VARIANT_BACK_IN_STOCK', backInStock],
];

async function isTold(world: World, [event, publicName, type, tell]: Row): Promise<void> {
  const subscription = await subscribed(world, { events: [type] });
  const { key, payload, data } = tell(subscription.partner);
  const topic = topicOf(event);
  const eventId = await world.publish(topic, `reseller.${event}`, key, payload);
  const [sent] = await receiver.got(subscription.path, 1);
  expect(JSON.parse(sent?.body ?? '')).toEqual({
    eventId,
    eventType: publicName,
    occurredAt: expect.any(String),
    data,
  });
  expect(sent && isSignedWith(subscription.secret, sent)).toBe(true);
}

/** Others of the same partner, environment or kind hear nothing of it. */
async function isToldToNobodyElse(world: World, row: Row): Promise<void> {
  const [event, , type, tell] = row;
  const unsubscribed = await subscribed(world, {
    events: [type === 'ORDER_FAILED' ? 'ORDER_COMPLETED' : 'ORDER_FAILED'],
  });
  const told = await subscribed(world, { events: [type], partner: unsubscribed.partner });
  const stranger = await subscribed(world, { events: [type] });
  const { key, payload } = tell(told.partner);
  const topic = topicOf(event);
  await world.publish(topic, `reseller.${event}`, key, payload);
  await receiver.got(told.path, 1);
  for (const other of [unsubscribed, stranger]) expect(await deliveriesOf(world, other)).toEqual([]);
}

/** The data of the example that docs/partners/webhooks.md shows of an event, for another partner. */
function exampleInGuide(name: string, partnerId: string): Message {
  const guide = readFileSync(path.resolve(__dirname, '../../../../docs/partners/webhooks.md'), 'utf8');
  const json = guide.split(`### \`${name}\``)[1]?.split('```json')[1]?.split('```')[0];
  if (!json) throw new Error(`docs/partners/webhooks.md shows no ${name}`);
  return { ...(JSON.parse(json) as { data: Message }).data, partnerId };
}

/** A row for every declared event without one of its own: its example becomes what the guide shows. */
const OTHERS: readonly Row[] = WEBHOOK_EVENTS.flatMap(({ name, type, sources, examplePayload }) =>
  sources.flatMap((source): Row[] => {
    const event = source.replace('reseller.', '');
    if (ROWS.some(([known]) => known === event)) return [];
    const tell = ({ id }: Partner) => ({
      key: uuidv7(),
      payload: coderOf(source).decode(examplePayload(source, id)),
      data: exampleInGuide(name, id),
    });
    return [[event, name, type.replace('WEBHOOK_EVENT_TYPE_', ''), tell]];
  }),
);

/** What notifier takes in, each event as partners are told of it (docs/partners/webhooks.md). */
export const consumed: ConsumedEventContract[] = [...ROWS, ...OTHERS].map((row) => ({
  type: `reseller.${row[0]}`,
  topic: topicOf(row[0]),
  effects: {
    [`becomes ${row[1]}, signed, to who subscribed to it`]: (world) => isTold(world, row),
    'is told to nobody else': (world) => isToldToNobodyElse(world, row),
  },
}));
