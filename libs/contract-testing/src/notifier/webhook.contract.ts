import { expect } from '@jest/globals';
import { eventually } from '@reseller/testing';
import type { Message } from '../contract';
import { partnerService, rpc, type Sentences } from '../notation';
import { notFound, repeated, UNKNOWN } from '../variations';
import type { World } from '../world';
import {
  attempted,
  completed,
  delivered,
  deliveriesOf,
  receiver,
  subscribed,
  testFire,
  typeOf,
  type Subscribed,
} from './arrange';
import { isSignedWith } from './receiver';
import { redelivers } from './redelivery';

const PUBLIC_URL = 'https://8.8.8.8/hooks';
const COMPLETED = typeOf('order.completed');
const FAILED = typeOf('order.failed');
const A_SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/);

/** A new subscription with more in the request. */
const given =
  (more: Message = {}) =>
  async (world: World) => {
    const { partner, named } = await subscribed(world);
    return [partner, { ...named, ...more }] as const;
  };

/** Whose subscription it is not. */
const isOwn = notFound('NOT_FOUND_WEBHOOK_SUBSCRIPTION', 'subscription_id');

const wrongFields: Sentences = {
  'VALIDATION_FAILED: an unknown event type': { event_types: ['WEBHOOK_EVENT_TYPE_UNSPECIFIED'] },
  'VALIDATION_FAILED: an event type twice': { event_types: [COMPLETED, COMPLETED] },
  'VALIDATION_WEBHOOK_URL_REJECTED: an address that is not public': { url: 'https://10.0.0.1/hooks' },
};

/** A subscription whose partner has five active ones. */
async function oneOfFive(world: World): Promise<Subscribed> {
  const first = await subscribed(world);
  for (const _ of [2, 3, 4, 5]) await subscribed(world, { partner: first.partner });
  return first;
}

const setActive = ({ partner, named }: Subscribed, is_active: boolean) =>
  partner.get('SetWebhookActive', { ...named, is_active });

/** Subscriptions and deliveries of one partner. */
export const webhooks = partnerService('WebhookService', {
  CreateWebhook: rpc(async (world) => [world.partner(), { url: PUBLIC_URL, event_types: [COMPLETED] }], {
    'makes an active subscription; its secret is in this answer and nowhere else': async (use) => {
      const partner = use.partner();
      const given = { url: PUBLIC_URL, event_types: [COMPLETED, FAILED] };
      const { subscription, secret } = await partner.call('CreateWebhook', given);
      expect([subscription, secret]).toEqual([
        {
          ...partner.ref,
          ...given,
          id: expect.any(String),
          is_active: true,
          last_delivery_at: null,
          last_delivery_status: 'WEBHOOK_LAST_DELIVERY_STATUS_UNSPECIFIED',
          created_at: expect.any(String),
        },
        A_SECRET,
      ]);
      const { id } = subscription as Message;
      expect(await partner.call('GetWebhook', { subscription_id: id })).toEqual({ subscription });
    },
    'VALIDATION_FAILED: no event type': { event_types: [] },
    ...wrongFields,
    'VALIDATION_WEBHOOK_URL_REJECTED: plain http': { url: 'http://8.8.8.8/hooks' },
    'VALIDATION_WEBHOOK_URL_REJECTED: what is no URL': { url: 'hooks' },
    'BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT: a sixth, with five active': async (use) =>
      subscribed(use, { partner: (await oneOfFive(use)).partner }),
    'BUSINESS_RESOURCE_LIMIT: the 21st, active and paused ones counted': async (use) => {
      const first = await subscribed(use);
      for (let made = 1; made < 20; made += 1)
        await setActive(await subscribed(use, { partner: first.partner }), false);
      return subscribed(use, { partner: first.partner });
    },
  }),
  ListWebhooks: rpc(undefined, {
    'lists newest first, active and paused, page by page, and nobody else’s': async (use) => {
      const older = await subscribed(use);
      const { partner } = older;
      const newer = await subscribed(use, { partner });
      const paused = await setActive(older, false);
      await subscribed(use);
      await subscribed(use, { partner: partner.elsewhere() });
      expect(await partner.pages('ListWebhooks')).toEqual([newer.subscription, paused]);
    },
  }),
  GetWebhook: rpc(given(), {
    'answers the subscription, with what its last delivery came to': async (use) => {
      const { partner, named, subscription, delivery } = await delivered(use);
      await eventually(async () =>
        expect(await partner.get('GetWebhook', named)).toEqual({
          ...subscription,
          last_delivery_at: delivery.last_attempt_at,
          last_delivery_status: 'WEBHOOK_LAST_DELIVERY_STATUS_DELIVERED',
        }),
      );
    },
    ...isOwn,
  }),
  UpdateWebhook: rpc(given({ url: PUBLIC_URL }), {
    'changes what is given and leaves the rest; idempotent': async (use) => {
      const { partner, named, subscription } = await subscribed(use);
      const changed = { ...subscription, url: PUBLIC_URL };
      expect(await partner.twice('UpdateWebhook', { ...named, url: PUBLIC_URL })).toEqual({
        subscription: changed,
      });
      const event_types = [FAILED];
      expect(await partner.get('UpdateWebhook', { ...named, event_types })).toEqual({
        ...changed,
        event_types,
      });
    },
    ...isOwn,
    ...wrongFields,
  }),
  DeleteWebhook: rpc(given(), {
    'removes the subscription and answers it as it was': async (use) => {
      const { partner, named, subscription } = await subscribed(use);
      expect(await partner.call('DeleteWebhook', named)).toEqual({ subscription });
      expect(await partner.list('ListWebhooks')).toEqual([]);
    },
    'removes what is pending': async (use) => {
      const { partner, named, order } = await delivered(use, { isRefusing: true });
      await partner.call('DeleteWebhook', named);
      const { order_global_id } = order;
      expect(await use.list('ListDeliveriesOfOrder', { order_global_id })).toEqual([]);
    },
    ...isOwn,
    'NOT_FOUND_WEBHOOK_SUBSCRIPTION: a repetition': repeated(),
  }),
  SetWebhookActive: rpc(given({ is_active: false }), {
    'pauses and resumes; doing what is done already changes nothing': async (use) => {
      const subscription = await subscribed(use);
      for (const is_active of [false, false, true, true])
        expect(await setActive(subscription, is_active)).toEqual({ ...subscription.subscription, is_active });
    },
    'events that arrive while it is paused are not sent later': async (use) => {
      const subscription = await subscribed(use);
      await setActive(subscription, false);
      const other = await subscribed(use, { partner: subscription.partner });
      await completed(use, subscription.partner);
      await attempted(other);
      await setActive(subscription, true);
      expect(await deliveriesOf(subscription)).toEqual([]);
    },
    ...isOwn,
    'BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT: resuming a sixth': async (use) => {
      const first = await oneOfFive(use);
      await setActive(first, false);
      await subscribed(use, { partner: first.partner });
      return setActive(first, true);
    },
  }),
  RotateWebhookSecret: rpc(given(), {
    'makes a new secret, which signs from the very next attempt': async (use) => {
      const { partner, named, secret, path } = await delivered(use);
      const reply = await partner.call('RotateWebhookSecret', named);
      expect(reply).toEqual({ subscription: await partner.get('GetWebhook', named), secret: A_SECRET });
      expect(reply.secret).not.toBe(secret);
      await completed(use, partner);
      const signed = (await receiver.got(path, 2)).map((one, index) =>
        isSignedWith(index === 0 ? secret : String(reply.secret), one),
      );
      expect(signed).toEqual([true, true]);
    },
    ...isOwn,
  }),
  TestFireWebhook: rpc(given({ event_type: COMPLETED }), {
    'sends one signed example, subscribed or not, paused or not, and answers its only attempt': async (
      use,
    ) => {
      const subscription = await subscribed(use);
      await setActive(subscription, false);
      const delivery = await testFire(subscription, 'variant.back-in-stock');
      const error_summary = 'WEBHOOK_ERROR_SUMMARY_UNSPECIFIED';
      expect(delivery).toMatchObject({
        ...subscription.partner.ref,
        ...subscription.named,
        event_type: typeOf('variant.back-in-stock'),
        status: 'WEBHOOK_DELIVERY_STATUS_DELIVERED',
        attempt_count: 1,
        response_status: 200,
        is_test: true,
        next_attempt_at: null,
        attempts: [{ attempt_number: 1, response_status: 200, error_summary }],
      });
      const [sent] = await receiver.got(subscription.path, 1);
      expect(sent && isSignedWith(subscription.secret, sent)).toBe(true);
      expect(JSON.parse(sent?.body ?? '')).toMatchObject({
        eventId: delivery.event_id,
        eventType: 'variant.back-in-stock',
      });
    },
    'is dead-lettered after one attempt that fails, and does not count as a last delivery': async (use) => {
      const subscription = await subscribed(use, { isRefusing: true });
      expect(await testFire(subscription)).toMatchObject({
        status: 'WEBHOOK_DELIVERY_STATUS_DEAD_LETTERED',
        attempt_count: 1,
        response_status: 500,
        error_summary: 'WEBHOOK_ERROR_SUMMARY_DELIVERY_FAILED',
      });
      expect(await subscription.partner.get('GetWebhook', subscription.named)).toMatchObject({
        last_delivery_status: 'WEBHOOK_LAST_DELIVERY_STATUS_UNSPECIFIED',
      });
    },
    ...isOwn,
    'VALIDATION_FAILED: no event type': { event_type: 'WEBHOOK_EVENT_TYPE_UNSPECIFIED' },
  }),
  ListWebhookDeliveries: rpc(given(), {
    'lists newest first, page by page, each with its attempts': async (use) => {
      const subscription = await delivered(use);
      const { partner, named, order, eventId } = subscription;
      const test = await testFire(subscription);
      expect(await partner.pages('ListWebhookDeliveries', named)).toMatchObject([
        { id: test.id, is_test: true },
        {
          ...named,
          event_id: eventId,
          event_type: COMPLETED,
          status: 'WEBHOOK_DELIVERY_STATUS_DELIVERED',
          attempt_count: 1,
          response_status: 200,
          next_attempt_at: null,
          is_test: false,
          order_global_id: order.order_global_id,
          attempts: [{ attempt_number: 1, response_status: 200 }],
        },
      ]);
    },
    'keeps to an event type and a status': async (use) => {
      const events = ['order.completed', 'order.failed'];
      const { partner, named } = await delivered(use, { isRefusing: true, events });
      const filters = { ...named, event_type: COMPLETED, status: 'WEBHOOK_DELIVERY_STATUS_PENDING' };
      const others = [{ event_type: FAILED }, { status: 'WEBHOOK_DELIVERY_STATUS_DELIVERED' }];
      await partner.keepsTo('ListWebhookDeliveries', filters, others, [
        {
          next_attempt_at: expect.any(String),
          response_status: 500,
          error_summary: 'WEBHOOK_ERROR_SUMMARY_DELIVERY_FAILED',
        },
      ]);
    },
    ...isOwn,
  }),
  RedeliverWebhookDelivery: rpc(given({ delivery_id: UNKNOWN }), {
    ...redelivers((_, { partner, named }, { id }) =>
      partner.call('RedeliverWebhookDelivery', { ...named, delivery_id: id }),
    ),
    ...isOwn,
    'NOT_FOUND_WEBHOOK_DELIVERY: an unknown delivery': { delivery_id: UNKNOWN },
    'NOT_FOUND_WEBHOOK_DELIVERY: a delivery of another subscription': async (use) => {
      const { partner, pair } = await delivered(use);
      const { named } = await subscribed(use, { partner });
      return partner.call('RedeliverWebhookDelivery', { ...pair, ...named });
    },
  }),
});
