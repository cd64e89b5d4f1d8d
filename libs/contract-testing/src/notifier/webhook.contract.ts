import { about, eventually, expect, lists, partnerService, rpc } from '../prelude';
import type { Message, Sentences, World } from '../prelude';
import { attempted, completed, delivered, deliveriesOf, receiver } from './arrange';
import { PUBLIC_URL, subscribed, testFire, typeOf, type Subscribed } from './arrange';
import { isSignedWith } from './receiver';
import { redelivers } from './redelivery';

const SECRET = /^whsec_[A-Za-z0-9_-]{43}$/;
const COMPLETED = typeOf('order.completed');
const FAILED = typeOf('order.failed');

const wrongAddress: Sentences = {
  'VALIDATION_WEBHOOK_URL_REJECTED: an address that is not public': { url: 'https://10.0.0.1/hooks' },
};

/** A subscription whose partner has five active ones. */
async function oneOfFive(world: World): Promise<Subscribed> {
  const first = await subscribed(world);
  for (const _ of [2, 3, 4, 5]) await subscribed(world, { partner: first.partner });
  return first;
}

const setActive = ({ partner, request }: Subscribed, is_active: boolean) =>
  partner.get('SetWebhookActive', { ...request, is_active });

/** Subscriptions and deliveries of one partner. */
export const webhooks = partnerService('WebhookService', {
  CreateWebhook: rpc((world) => [world.partner(), { url: PUBLIC_URL, event_types: [COMPLETED, FAILED] }], {
    'makes an active subscription; its secret is in this reply and nowhere else': async (_, given) => {
      const { subscription, secret } = await given.call();
      expect(secret).toMatch(SECRET);
      const { id } = subscription as Message;
      expect(await given.partner.call('GetWebhook', { subscription_id: id })).toEqual({ subscription });
      return [given.partner.id, subscription];
    },
    ...wrongAddress,
    'VALIDATION_WEBHOOK_URL_REJECTED: plain http': { url: 'http://8.8.8.8/hooks' },
    'VALIDATION_WEBHOOK_URL_REJECTED: what is no URL': { url: 'hooks' },
    'BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT: a sixth, with five active': async (use) =>
      subscribed(use, { partner: (await oneOfFive(use)).partner }),
    'BUSINESS_RESOURCE_LIMIT: the 21st, active and paused ones counted': async (use, { partner }) => {
      for (const _ of Array(20)) await setActive(await subscribed(use, { partner }), false);
      return subscribed(use, { partner });
    },
  }),
  ListWebhooks: lists(async (world) => {
    const paused = await subscribed(world);
    const newer = await subscribed(world, { partner: paused.partner });
    return [paused.partner, [await setActive(paused, false), newer.subscription]];
  }),
  GetWebhook: rpc(delivered, {
    'returns the subscription, with what its last delivery came to': async (_, given) => {
      const last_delivery_status = 'WEBHOOK_LAST_DELIVERY_STATUS_DELIVERED';
      const last = { last_delivery_at: given.delivery.last_attempt_at, last_delivery_status };
      const subscription = { ...given.subscription, ...last };
      await eventually(async () => expect(await given.call()).toEqual({ subscription }));
    },
  }),
  UpdateWebhook: rpc(about(subscribed, { url: PUBLIC_URL }), {
    'changes what is given and leaves the rest; idempotent': [
      {},
      {},
      { url: undefined, event_types: [FAILED] },
    ],
    'VALIDATION_FAILED: an unknown event type': { event_types: ['WEBHOOK_EVENT_TYPE_UNSPECIFIED'] },
    'VALIDATION_FAILED: an event type twice': { event_types: [COMPLETED, COMPLETED] },
    ...wrongAddress,
  }),
  DeleteWebhook: rpc(subscribed, {
    'removes the subscription and returns it as it was': async (_, { subscription, partner, call }) => {
      expect(await call()).toEqual({ subscription });
      expect(await partner.list('ListWebhooks')).toEqual([]);
    },
    'removes what is pending': async (use) => {
      const { partner, request } = await delivered(use, { isRefusing: true });
      await partner.call('DeleteWebhook', request);
      expect(await use.list('ListDeliveriesOfOrder', request)).toEqual([]);
    },
  }),
  SetWebhookActive: rpc(about(subscribed, { is_active: false }), {
    'pauses and resumes; doing what is done already changes nothing': async (_, { subscription, call }) => {
      for (const is_active of [false, false, true, true])
        expect(await call({ is_active })).toEqual({ subscription: { ...subscription, is_active } });
    },
    'events that arrive while it is paused are not sent later': async (use, { partner, request, call }) => {
      await call();
      const other = await subscribed(use, { partner });
      await completed(use, partner);
      await attempted(other);
      await call({ is_active: true });
      expect(await partner.list('ListWebhookDeliveries', request)).toEqual([]);
    },
    'BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT: resuming a sixth': async (use) => {
      const first = await oneOfFive(use);
      await setActive(first, false);
      await subscribed(use, { partner: first.partner });
      return setActive(first, true);
    },
  }),
  RotateWebhookSecret: rpc(delivered, {
    'makes a new secret, which signs from the very next attempt': async (use, given) => {
      const { partner, request, secret, path } = given;
      const reply = await given.call();
      expect(reply.subscription).toEqual(await partner.get('GetWebhook', request));
      expect(reply.secret).toMatch(SECRET);
      expect(reply.secret).not.toBe(secret);
      await completed(use, partner);
      const [first, second] = await receiver.got(path, 2);
      expect([isSignedWith(secret, first), isSignedWith(reply.secret, second)]).toEqual([true, true]);
    },
  }),
  TestFireWebhook: rpc(about(subscribed, { event_type: COMPLETED }), {
    'sends one signed example, subscribed or not, paused or not, with one attempt': async (use) => {
      const own = await subscribed(use);
      await setActive(own, false);
      const delivery = await testFire(own, 'variant.back-in-stock');
      const [sent] = await receiver.got(own.path, 1);
      expect(isSignedWith(own.secret, sent)).toBe(true);
      const { eventId, eventType } = JSON.parse(sent?.body ?? '') as Message;
      return { delivery, eventId, eventType };
    },
    'is dead-lettered after one attempt that fails, and does not count as a last delivery': async (use) => {
      const subscription = await subscribed(use, { isRefusing: true });
      const delivery = await testFire(subscription);
      const { last_delivery_status } = await subscription.partner.get('GetWebhook', subscription.request);
      return { delivery, last_delivery_status };
    },
  }),
  ListWebhookDeliveries: lists(
    async (world) => {
      const own = await delivered(world);
      return [own.partner, [own.delivery, await testFire(own)], own.request];
    },
    {
      'has each with its attempts': async (_, { call }) => (await call()).deliveries,
      'has a failed one with its error, and when it is tried again': async (use) => {
        const error_summary = 'WEBHOOK_ERROR_SUMMARY_DELIVERY_FAILED';
        const failed = { next_attempt_at: expect.any(String), response_status: 500, error_summary };
        expect(await deliveriesOf(await delivered(use, { isRefusing: true }))).toMatchObject([failed]);
      },
    },
  ),
  ListWebhookDeliveriesOfOrder: lists(async (world) => {
    const { partner, request, delivery } = await delivered(world);
    await partner.call('DeleteWebhook', request);
    return [partner, [delivery], request];
  }),
  RedeliverWebhookDelivery: rpc(delivered, {
    ...redelivers,
    'NOT_FOUND_WEBHOOK_DELIVERY: a delivery of another subscription': async (use, { partner, call }) =>
      call((await subscribed(use, { partner })).request),
  }),
});
