import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import { WEBHOOK_EVENTS } from '@reseller/presenters';
import { v7 as uuidv7 } from 'uuid';
import type { ConsumedEventContract, Message } from '../contract';
import { orderSnapshot } from '../orders/order-messages';
import type { Party } from '../party';
import { coderOf } from '../reader';
import { deliveriesOf, receiver, subscribed } from './arrange';
import { isSignedWith } from './receiver';

const AT = new Date('2026-01-15T09:30:00.123Z');

interface Example {
  readonly key: string;
  readonly payload: Message;
  /** What the webhook says of it. */
  readonly data: Message;
}

/** An event, the webhook that it becomes, and an example of a partner's. */
type Row = readonly [event: string, publicName: string, example: (partner: Party) => Example];

const ofOrder =
  (status: string, publicStatus: string, more: Message = {}) =>
  (partner: Party): Example => {
    const order = orderSnapshot(partner, { status: `ORDER_STATUS_${status}`, ...more });
    const data = {
      orderGlobalId: order.order_global_id,
      partnerId: partner.id,
      productType: 'Topup',
      externalReference: 'INV-1',
      amount: 25.5,
      currency: 'SAR',
      failureCode: more.failure_code ?? null,
      status: publicStatus,
      customerRef: null,
    };
    return { key: order.order_id, payload: { order }, data };
  };

function groupChanged(partner: Party): Example {
  const order = orderSnapshot(partner);
  const fulfillment_group_id = uuidv7();
  const status = 'FULFILLMENT_GROUP_STATUS_DELIVERED';
  const rollup = { total_groups: 2, delivered_groups: 1 };
  return {
    key: order.order_id,
    payload: { order, fulfillment_group_id, status, delivered_at: AT, ...rollup },
    data: {
      orderGlobalId: order.order_global_id,
      scentOrderId: order.order_id,
      partnerId: partner.id,
      externalReference: 'INV-1',
      fulfillmentGroupId: fulfillment_group_id,
      status: 'Delivered',
      deliveredAt: AT.toISOString(),
      deliveryRollup: { totalGroups: 2, deliveredGroups: 1 },
    },
  };
}

function returnChanged(partner: Party): Example {
  const order = orderSnapshot(partner);
  const { order_id, order_global_id } = order;
  const [return_request_id, fulfillment_group_id] = [uuidv7(), uuidv7()];
  const reason = 'RETURN_REASON_DAMAGED';
  return {
    key: order_id,
    payload: {
      order,
      return_request: {
        return_request_id,
        scent_order_id: order_id,
        order_global_id,
        fulfillment_group_id,
        partner_id: partner.id,
        status: 'RETURN_REQUEST_STATUS_DECLINED',
        requested_at: AT,
        decided_at: AT,
        decided_by_user_id: 'Olga',
        decline_reason: 'worn',
        lines: [{ line_id: uuidv7(), scent_order_line_id: uuidv7(), quantity: 2, reason }],
      },
    },
    data: {
      returnRequestId: return_request_id,
      scentOrderId: order_id,
      orderGlobalId: order_global_id,
      fulfillmentGroupId: fulfillment_group_id,
      partnerId: partner.id,
      status: 'Declined',
      requestedAt: AT.toISOString(),
      decidedAt: AT.toISOString(),
      declineReason: 'worn',
      lines: [expect.objectContaining({ quantity: 2 })],
    },
  };
}

function backInStock({ id, ref }: Party): Example {
  const [registration_id, variant_id] = [uuidv7(), uuidv7()];
  const units = { sku: 'SKU-1', customer_ref: 'c-1', available_quantity: 3 };
  return {
    key: variant_id,
    payload: { ...ref, registration_id, variant_id, ...units },
    data: {
      registrationId: registration_id,
      variantId: variant_id,
      sku: 'SKU-1',
      partnerId: id,
      customerRef: 'c-1',
      availability: 'Limited',
      availableQuantity: 3,
    },
  };
}

/** Which event becomes which public one. */
const ROWS: readonly Row[] = [
  ['orders.v1.OrderProcessingStarted', 'order.completed', ofOrder('PROCESSING', 'Processing')],
  ['orders.v1.OrderCompleted', 'order.completed', ofOrder('COMPLETED', 'Completed')],
  ['orders.v1.OrderFailed', 'order.failed', ofOrder('FAILED', 'Failed', { failure_code: 'VENDOR_REFUSED' })],
  ['orders.v1.OrderCancelled', 'order.cancelled', ofOrder('CANCELLED', 'Cancelled')],
  ['orders.v1.OrderReversed', 'order.cancelled', ofOrder('REVERSED', 'Reversed')],
  ['orders.v1.OrderReturned', 'order.returned', ofOrder('RETURNED', 'Returned')],
  ['orders.v1.FulfillmentGroupChanged', 'order.fulfilment-updated', groupChanged],
  ['orders.v1.ReturnRequestChanged', 'order.return-request.updated', returnChanged],
  ['scent.v1.VariantBackInStock', 'variant.back-in-stock', backInStock],
];

/** The data of the example that docs/partners/webhooks.md shows of an event, for another partner. */
function exampleInGuide(name: string, partnerId: string): Message {
  const guide = readFileSync(path.resolve(__dirname, '../../../../docs/partners/webhooks.md'), 'utf8');
  const json = guide.split(`### \`${name}\``)[1]?.split('```json')[1]?.split('```')[0];
  if (!json) throw new Error(`docs/partners/webhooks.md shows no ${name}`);
  return { ...(JSON.parse(json) as { data: Message }).data, partnerId };
}

/** A row for every declared event without one of its own: its example becomes what the guide shows. */
const OTHERS: readonly Row[] = WEBHOOK_EVENTS.flatMap(({ name, sources, examplePayload }) =>
  sources
    .map((source) => [source, source.replace('reseller.', '')] as const)
    .filter(([, event]) => !ROWS.some(([known]) => known === event))
    .map(([source, event]): Row => {
      const example = ({ id }: Party): Example => ({
        key: uuidv7(),
        payload: coderOf(source).decode(examplePayload(source, id)),
        data: exampleInGuide(name, id),
      });
      return [event, name, example];
    }),
);

/** The topic that an event is on. */
function topicOf(type: string): string {
  const declared = WEBHOOK_EVENTS.find(({ sources }) => sources.some((one) => one === type));
  if (!declared) throw new Error(`${type} becomes no webhook`);
  return declared.topic;
}

function effectsOf([event, publicName, example]: Row): ConsumedEventContract {
  const type = `reseller.${event}`;
  const topic = topicOf(type);
  const events = [publicName];
  return {
    type,
    topic,
    effects: {
      [`becomes ${publicName}, signed, to who subscribed to it`]: async (use) => {
        const { partner, path: at, secret } = await subscribed(use, { events });
        const { key, payload, data } = example(partner);
        const eventId = await use.publish(topic, type, key, payload);
        const [sent] = await receiver.got(at, 1);
        const expected = { eventId, eventType: publicName, occurredAt: expect.any(String), data };
        expect(JSON.parse(sent?.body ?? '')).toEqual(expected);
        expect(sent && isSignedWith(secret, sent)).toBe(true);
      },
      'is told to nobody else': async (use) => {
        const other = publicName === 'order.failed' ? 'order.completed' : 'order.failed';
        const unsubscribed = await subscribed(use, { events: [other] });
        const told = await subscribed(use, { events, partner: unsubscribed.partner });
        const stranger = await subscribed(use, { events });
        const { key, payload } = example(told.partner);
        await use.publish(topic, type, key, payload);
        await receiver.got(told.path, 1);
        for (const one of [unsubscribed, stranger]) expect(await deliveriesOf(one)).toEqual([]);
      },
    },
  };
}

/** What notifier takes in, each event as partners get it (docs/partners/webhooks.md). */
export const consumed = [...ROWS, ...OTHERS].map(effectsOf);
