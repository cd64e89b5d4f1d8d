import { eventually, expect } from '../prelude';
import type { Message, Sentences, World } from '../prelude';
import { delivered, receiver, subscribed, testFire, type Subscribed } from './arrange';

type Redeliver = (world: World, subscription: Subscribed, delivery: Message) => Promise<Message>;

/** The same, once the delivery is more than a second old. */
export const redelivered =
  (redeliver: Redeliver) => (world: World, subscription: Subscribed, delivery: Message) =>
    eventually(() => redeliver(world, subscription, delivery), { intervalMs: 100 });

/** What partners and operators rely on alike when they have an event sent again. */
export const redelivers = (redeliver: Redeliver): Sentences => ({
  'sends the event again with the same event id, as a new delivery': async (use) => {
    const subscription = await delivered(use);
    const { delivery, path } = subscription;
    const again = (await redelivered(redeliver)(use, subscription, delivery)).delivery as Message;
    const { event_id, event_type } = delivery;
    expect(again).toMatchObject({ event_id, event_type, is_test: false });
    expect(again.id).not.toBe(delivery.id);
    const [first, second] = await receiver.got(path, 2);
    expect(second?.body).toBe(first?.body);
  },
  'CONFLICT_DELIVERY_NOT_FINAL: a pending one': async (use) => {
    const subscription = await delivered(use, { isRefusing: true });
    return redeliver(use, subscription, subscription.delivery);
  },
  'CONFLICT_DELIVERY_NOT_FINAL: a test': async (use) => {
    const subscription = await subscribed(use);
    return redeliver(use, subscription, await testFire(subscription));
  },
  'RATE_LIMITED: a second one within a second': async (use) => {
    const subscription = await delivered(use);
    const { delivery } = subscription;
    await redelivered(redeliver)(use, subscription, delivery);
    return Promise.all([1, 2, 3].map(() => redeliver(use, subscription, delivery)));
  },
});
