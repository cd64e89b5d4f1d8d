import { eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import type { Message } from '../contract';
import { list, part, text } from '../message';
import { orderSnapshot, ORDER_TOPIC } from '../orders/order-messages';
import { newPartner, type Partner, type World } from '../world';
import { Receiver } from './receiver';

/** What all subscriptions of the suite deliver to; the notifier must allow 127.0.0.1. */
export const receiver = new Receiver();

/** A subscription, its partner, and the path of the receiver that it delivers to. */
export interface Subscribed {
  readonly partner: Partner;
  readonly id: string;
  readonly secret: string;
  readonly path: string;
  readonly subscription: Message;
}

/** Subscribes a new partner; with `isRefusing` the receiver answers 500 to everything. */
export async function subscribed(
  world: World,
  { events = ['ORDER_COMPLETED'], partner = newPartner(), isRefusing = false } = {},
): Promise<Subscribed> {
  const path = `/${isRefusing ? 'refuse' : 'take'}/${uuidv7()}`;
  const answer = await world.call(
    'WebhookService.CreateWebhook',
    { url: await receiver.url(path), event_types: events.map((name) => `WEBHOOK_EVENT_TYPE_${name}`) },
    partner.caller,
  );
  const subscription = part(answer, 'subscription');
  return { partner, id: text(subscription, 'id'), secret: text(answer, 'secret'), path, subscription };
}

/** Tells of a completed order of the partner. */
export async function completed(world: World, partner: Partner) {
  const order = orderSnapshot(partner);
  const eventId = await world.publish(ORDER_TOPIC, 'reseller.orders.v1.OrderCompleted', order.order_id, {
    order,
  });
  return { eventId, order };
}

/** The subscription's deliveries, newest first. */
export async function deliveriesOf(
  world: World,
  { id, partner }: Subscribed,
  more: Message = {},
): Promise<Message[]> {
  const request = { subscription_id: id, ...more };
  const answer = await world.call('WebhookService.ListWebhookDeliveries', request, partner.caller);
  return list(answer, 'deliveries');
}

/** The newest delivery, once an attempt was made and its result is known. */
export function attempted(world: World, subscription: Subscribed): Promise<Message> {
  return eventually(
    async () => {
      const [newest] = await deliveriesOf(world, subscription);
      if (!newest || Number(newest['attempt_count']) < 1) throw new Error('no attempt was made yet');
      return newest;
    },
    { timeoutMs: 10_000 },
  );
}

/** A subscription with one event of a completed order delivered. */
export async function delivered(world: World, options?: Parameters<typeof subscribed>[1]) {
  const subscription = await subscribed(world, options);
  const event = await completed(world, subscription.partner);
  return { ...subscription, ...event, delivery: await attempted(world, subscription) };
}
