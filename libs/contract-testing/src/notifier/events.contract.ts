import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WEBHOOK_EVENTS } from '@reseller/presenters';
import { eventually, expect, uuidv7 } from '../prelude';
import type { EventContract, Message, Party } from '../prelude';
import { takesInPartners } from '../common/partner-version';
import { publishPartner } from '../identity/partner-messages';
import { orderSnapshot } from '../orders/order-messages';
import { coderOf } from '../reader';
import { attempted, completed, deliveriesOf, delivered, receiver, subscribed } from './arrange';
import { isSignedWith } from './receiver';

const AT = new Date('2026-01-15T09:30:00.123Z');

/** An event of a partner's; and what the webhook holds then, where the golden file does not say. */
interface Example {
  readonly key: string;
  readonly payload: Message;
  readonly data?: Message;
}

/** An event, the webhook that it becomes, and an example of a partner's. */
type Row = readonly [event: string, publicName: string, example: (partner: Party) => Example];

const ofOrder =
  (status: string, more: Message = {}) =>
  (partner: Party): Example => {
    const order = orderSnapshot(partner, { status: `ORDER_STATUS_${status}`, ...more });
    return { key: order.order_id, payload: { order } };
  };

function groupChanged(partner: Party): Example {
  const order = orderSnapshot(partner);
  const group = {
    fulfillment_group_id: uuidv7(),
    status: 'FULFILLMENT_GROUP_STATUS_DELIVERED',
    delivered_at: AT,
    total_groups: 2,
    delivered_groups: 1,
  };
  return { key: order.order_id, payload: { order, ...group } };
}

function returnChanged(partner: Party): Example {
  const order = orderSnapshot(partner);
  const { order_id, order_global_id } = order;
  const return_request = {
    return_request_id: uuidv7(),
    scent_order_id: order_id,
    order_global_id,
    fulfillment_group_id: uuidv7(),
    partner_id: partner.id,
    status: 'RETURN_REQUEST_STATUS_DECLINED',
    requested_at: AT,
    decided_at: AT,
    decided_by_user_id: 'Olga',
    decline_reason: 'worn',
    lines: [
      { line_id: uuidv7(), scent_order_line_id: uuidv7(), quantity: 2, reason: 'RETURN_REASON_DAMAGED' },
    ],
  };
  return { key: order_id, payload: { order, return_request } };
}

function backInStock({ ref }: Party): Example {
  const [registration_id, variant_id] = [uuidv7(), uuidv7()];
  const units = { sku: 'SKU-1', customer_ref: 'c-1', available_quantity: 3 };
  return { key: variant_id, payload: { ...ref, registration_id, variant_id, ...units } };
}

/** Which event becomes which public one. */
const ROWS: readonly Row[] = [
  ['orders.v1.OrderProcessingStarted', 'order.completed', ofOrder('PROCESSING')],
  ['orders.v1.OrderCompleted', 'order.completed', ofOrder('COMPLETED')],
  ['orders.v1.OrderFailed', 'order.failed', ofOrder('FAILED', { failure_code: 'VENDOR_REFUSED' })],
  ['orders.v1.OrderCancelled', 'order.cancelled', ofOrder('CANCELLED')],
  ['orders.v1.OrderReversed', 'order.cancelled', ofOrder('REVERSED')],
  ['orders.v1.OrderReturned', 'order.returned', ofOrder('RETURNED')],
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

function effectsOf([event, publicName, example]: Row): EventContract {
  const type = `reseller.${event}`;
  const topic = topicOf(type);
  const events = [publicName];
  return {
    type,
    topic,
    sentences: {
      [`becomes ${publicName}, signed, to who subscribed to it`]: async (use) => {
        const { partner, path: at, secret } = await subscribed(use, { events });
        const { key, payload, data } = example(partner);
        const eventId = await use.publish(topic, type, key, payload);
        const [sent] = await receiver.got(at, 1);
        expect(isSignedWith(secret, sent)).toBe(true);
        const webhook = JSON.parse(sent?.body ?? '') as Message;
        expect(webhook).toEqual({
          eventId,
          eventType: publicName,
          occurredAt: expect.any(String),
          data: data ?? expect.any(Object),
        });
        return data ? undefined : { payload, data: webhook.data };
      },
      'is sent to nobody else': async (use) => {
        const other = publicName === 'order.failed' ? 'order.completed' : 'order.failed';
        const unsubscribed = await subscribed(use, { events: [other] });
        const sentTo = await subscribed(use, { events, partner: unsubscribed.partner });
        const stranger = await subscribed(use, { events });
        const { key, payload } = example(sentTo.partner);
        await use.publish(topic, type, key, payload);
        await receiver.got(sentTo.path, 1);
        for (const one of [unsubscribed, stranger]) expect(await deliveriesOf(one)).toEqual([]);
      },
    },
  };
}

/** Deliveries of frozen partners wait (spec §18.5). */
const freezes = takesInPartners(
  'deliveries of a frozen partner wait until it is unfrozen, and an older version changes nothing',
  'AwaitPartnerFreeze',
  (use) => Promise.resolve(use.partner()),
  { newer: { is_frozen_with_ancestors: true }, older: { is_frozen_with_ancestors: false } },
  async (partner, use) => {
    const frozen = await subscribed(use, { partner });
    await completed(use, partner);
    await eventually(async () => expect(await deliveriesOf(frozen)).toHaveLength(1));
    // One claim takes all that is due: once a later event of another partner was sent, this one was passed over.
    await delivered(use);
    expect(await deliveriesOf(frozen)).toMatchObject([
      { status: 'WEBHOOK_DELIVERY_STATUS_PENDING', attempt_count: 0 },
    ]);
    await publishPartner(use, partner, 'PartnerUpdated', { version: 5, is_frozen_with_ancestors: false });
    const { status, attempt_count } = await attempted(frozen);
    return { status, attempt_count };
  },
);

/** What notifier takes in: each event as partners get it (docs/partners/webhooks.md), and who is frozen. */
export const consumed = [...[...ROWS, ...OTHERS].map(effectsOf), ...freezes];
