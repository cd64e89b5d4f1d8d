import { eventually, uuidv7 } from '../prelude';
import type { Message, Party, World } from '../prelude';
import { orderSnapshot, ORDER_TOPIC } from '../orders/order-messages';
import { Receiver } from './receiver';

/** An address that a subscription may have. */
export const PUBLIC_URL = 'https://8.8.8.8/hooks';

/** What all subscriptions of the suite deliver to; the notifier must allow 127.0.0.1. */
export const receiver = new Receiver();

export const typeOf = (name: string): string =>
  `WEBHOOK_EVENT_TYPE_${name.toUpperCase().replace(/[.-]/g, '_')}`;

export interface SubscribedOptions {
  readonly events?: readonly string[];
  readonly partner?: Party;
  /** Whether the receiver responds 500 to everything. */
  readonly isRefusing?: boolean;
}

/** A subscription: its partner, the request that names it, and the path of the receiver that it delivers to. */
export async function subscribed(
  world: World,
  { events = ['order.completed'], partner = world.partner(), isRefusing = false }: SubscribedOptions = {},
) {
  const path = `/${isRefusing ? 'refuse' : 'take'}/${uuidv7()}`;
  const made = { url: await receiver.url(path), event_types: events.map(typeOf) };
  const reply = await partner.call('CreateWebhook', made);
  const subscription = reply.subscription as Message;
  return { partner, request: { subscription_id: subscription.id }, secret: reply.secret, path, subscription };
}

export type Subscribed = Awaited<ReturnType<typeof subscribed>>;

/** Publishes that an order of the partner is completed. */
export async function completed(world: World, partner: Party) {
  const order = orderSnapshot(partner);
  const eventId = await world.publish(ORDER_TOPIC, 'reseller.orders.v1.OrderCompleted', order.order_id, {
    order,
  });
  return { eventId, order };
}

/** The subscription's deliveries, newest first. */
export const deliveriesOf = ({ request, partner }: Subscribed): Promise<Message[]> =>
  partner.list('ListWebhookDeliveries', request);

/** The newest delivery, once an attempt was made and its result is known. */
export const attempted = (subscription: Subscribed): Promise<Message> =>
  eventually(async () => {
    const [newest] = await deliveriesOf(subscription);
    if (!newest || Number(newest.attempt_count) < 1) throw new Error('no attempt was made yet');
    return newest;
  });

/** A subscription with one event of a completed order delivered, and the request that names the delivery, and its order, too. */
export async function delivered(world: World, options?: SubscribedOptions) {
  const subscription = await subscribed(world, options);
  const event = await completed(world, subscription.partner);
  const delivery = await attempted(subscription);
  const { order_global_id } = event.order;
  const request = { ...subscription.request, delivery_id: delivery.id, order_global_id };
  return { ...subscription, ...event, delivery, request };
}

/** Fires a test, of a completed order unless named; returns its delivery. */
export const testFire = ({ partner, request }: Subscribed, name = 'order.completed'): Promise<Message> =>
  partner.get('TestFireWebhook', { ...request, event_type: typeOf(name) });
