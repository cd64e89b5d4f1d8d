import { expect } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import type { Cases, Message, ServiceContract } from '../contract';
import { part, text } from '../message';
import { expectPages } from '../paging';
import { elsewhere, newPartner, type World } from '../world';
import {
  attempted,
  completed,
  delivered,
  deliveriesOf,
  receiver,
  subscribed,
  type Subscribed,
} from './arrange';
import { isSignedWith } from './receiver';

const PUBLIC_URL = 'https://8.8.8.8/hooks';
const COMPLETED = 'WEBHOOK_EVENT_TYPE_ORDER_COMPLETED';

const create = (world: World, more: Message, caller = newPartner().caller) =>
  world.call('WebhookService.CreateWebhook', { url: PUBLIC_URL, event_types: [COMPLETED], ...more }, caller);

/** Whose subscription it is not: nobody's, another partner's, the other environment's. */
const isNotFound = (rpc: string, more: Message = {}): Cases => ({
  'an unknown id': (world) =>
    world.call(`WebhookService.${rpc}`, { subscription_id: uuidv7(), ...more }, newPartner().caller),
  'an id that is none': (world) =>
    world.call(`WebhookService.${rpc}`, { subscription_id: 'one', ...more }, newPartner().caller),
  'another partner’s': async (world) => {
    const { id } = await subscribed(world);
    return world.call(`WebhookService.${rpc}`, { subscription_id: id, ...more }, newPartner().caller);
  },
  'the other environment’s': async (world) => {
    const { id, partner } = await subscribed(world);
    return world.call(`WebhookService.${rpc}`, { subscription_id: id, ...more }, elsewhere(partner).caller);
  },
});

/** Five active subscriptions of one partner. */
async function fiveActive(world: World): Promise<Subscribed[]> {
  const partner = newPartner();
  const all: Subscribed[] = [];
  for (let n = 0; n < 5; n += 1) all.push(await subscribed(world, { partner }));
  return all;
}

const setActive = async (world: World, { id, partner }: Subscribed, is_active: boolean) =>
  part(
    await world.call('WebhookService.SetWebhookActive', { subscription_id: id, is_active }, partner.caller),
    'subscription',
  );

const get = async (world: World, { id, partner }: Subscribed) =>
  part(
    await world.call('WebhookService.GetWebhook', { subscription_id: id }, partner.caller),
    'subscription',
  );

const redeliver = (world: World, { id, partner }: Subscribed, delivery: Message) =>
  world.call(
    'WebhookService.RedeliverWebhookDelivery',
    { subscription_id: id, delivery_id: delivery['id'] },
    partner.caller,
  );

const testFire = async (world: World, { id, partner }: Subscribed, event_type: string = COMPLETED) =>
  part(
    await world.call('WebhookService.TestFireWebhook', { subscription_id: id, event_type }, partner.caller),
    'delivery',
  );

const wrongEventTypes: Readonly<Record<string, unknown[]>> = {
  'an unknown event type': ['WEBHOOK_EVENT_TYPE_UNSPECIFIED'],
  'an event type twice': [COMPLETED, COMPLETED],
};

/** Subscriptions and deliveries of one partner. */
export const webhooks: ServiceContract = {
  service: 'WebhookService',
  speaksFor: 'the partner of the metadata',
  rpcs: {
    CreateWebhook: {
      promises: {
        'makes an active subscription; its secret is in this answer and nowhere else': async (world) => {
          const partner = newPartner();
          const types = [COMPLETED, 'WEBHOOK_EVENT_TYPE_ORDER_FAILED'];
          const answer = await create(world, { event_types: types }, partner.caller);
          expect(answer).toEqual({
            subscription: {
              ...partner.ref,
              id: expect.any(String),
              url: PUBLIC_URL,
              event_types: types,
              is_active: true,
              last_delivery_at: null,
              last_delivery_status: 'WEBHOOK_LAST_DELIVERY_STATUS_UNSPECIFIED',
              created_at: expect.any(String),
            },
            secret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
          });
          const read = await world.call(
            'WebhookService.GetWebhook',
            { subscription_id: text(answer, 'subscription.id') },
            partner.caller,
          );
          expect(read).toEqual({ subscription: answer['subscription'] });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'no event type': (world) => create(world, { event_types: [] }),
          ...Object.fromEntries(
            Object.entries(wrongEventTypes).map(([what, event_types]) => [
              what,
              (world: World) => create(world, { event_types }),
            ]),
          ),
        },
        VALIDATION_WEBHOOK_URL_REJECTED: {
          'plain http': (world) => create(world, { url: 'http://8.8.8.8/hooks' }),
          'an address that is not public': (world) => create(world, { url: 'https://10.0.0.1/hooks' }),
          'what is no URL': (world) => create(world, { url: 'hooks' }),
        },
        BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT: {
          'a sixth, with five active': async (world) => {
            const [first] = await fiveActive(world);
            return create(world, {}, first?.partner.caller);
          },
        },
      },
    },
    ListWebhooks: {
      promises: {
        'lists newest first, active and paused, page by page, and nobody else’s': async (world) => {
          const partner = newPartner();
          const older = await subscribed(world, { partner });
          const newer = await subscribed(world, { partner });
          const paused = await setActive(world, older, false);
          await subscribed(world);
          await subscribed(world, { partner: elsewhere(partner) });
          const listed = await expectPages(world, {
            rpc: 'WebhookService.ListWebhooks',
            field: 'subscriptions',
            caller: partner.caller,
          });
          expect(listed).toEqual([newer.subscription, paused]);
        },
      },
    },
    GetWebhook: {
      promises: {
        'answers the subscription, with what its last delivery came to': async (world) => {
          const subscription = await delivered(world);
          expect(await get(world, subscription)).toEqual({
            ...subscription.subscription,
            last_delivery_at: subscription.delivery['last_attempt_at'],
            last_delivery_status: 'WEBHOOK_LAST_DELIVERY_STATUS_DELIVERED',
          });
        },
      },
      refuses: { NOT_FOUND_WEBHOOK_SUBSCRIPTION: isNotFound('GetWebhook') },
    },
    UpdateWebhook: {
      promises: {
        'changes what is given and leaves the rest; idempotent': async (world) => {
          const { id, partner, subscription } = await subscribed(world);
          const change = { subscription_id: id, url: PUBLIC_URL };
          const changed = { subscription: { ...subscription, url: PUBLIC_URL } };
          expect(await world.call('WebhookService.UpdateWebhook', change, partner.caller)).toEqual(changed);
          expect(await world.call('WebhookService.UpdateWebhook', change, partner.caller)).toEqual(changed);
          const event_types = ['WEBHOOK_EVENT_TYPE_ORDER_FAILED'];
          expect(
            await world.call(
              'WebhookService.UpdateWebhook',
              { subscription_id: id, event_types },
              partner.caller,
            ),
          ).toEqual({ subscription: { ...changed.subscription, event_types } });
        },
      },
      refuses: {
        NOT_FOUND_WEBHOOK_SUBSCRIPTION: isNotFound('UpdateWebhook', { url: PUBLIC_URL }),
        VALIDATION_FAILED: Object.fromEntries(
          Object.entries(wrongEventTypes).map(([what, event_types]) => [
            what,
            async (world: World) => {
              const { id, partner } = await subscribed(world);
              const request = { subscription_id: id, event_types };
              return world.call('WebhookService.UpdateWebhook', request, partner.caller);
            },
          ]),
        ),
        VALIDATION_WEBHOOK_URL_REJECTED: {
          'an address that is not public': async (world) => {
            const { id, partner } = await subscribed(world);
            const request = { subscription_id: id, url: 'https://10.0.0.1/hooks' };
            return world.call('WebhookService.UpdateWebhook', request, partner.caller);
          },
        },
      },
    },
    DeleteWebhook: {
      promises: {
        'removes the subscription and answers it as it was': async (world) => {
          const { id, partner, subscription } = await subscribed(world);
          const request = { subscription_id: id };
          expect(await world.call('WebhookService.DeleteWebhook', request, partner.caller)).toEqual({
            subscription,
          });
          const listed = await world.call('WebhookService.ListWebhooks', {}, partner.caller);
          expect(listed['subscriptions']).toEqual([]);
        },
        'removes what is pending': async (world) => {
          const subscription = await delivered(world, { isRefusing: true });
          const { id, partner, order } = subscription;
          await world.call('WebhookService.DeleteWebhook', { subscription_id: id }, partner.caller);
          const left = await world.call('DeliveryOperationsService.ListDeliveriesOfOrder', {
            order_global_id: order['order_global_id'],
          });
          expect(left['deliveries']).toEqual([]);
        },
      },
      refuses: {
        NOT_FOUND_WEBHOOK_SUBSCRIPTION: {
          ...isNotFound('DeleteWebhook'),
          'a repetition': async (world) => {
            const { id, partner } = await subscribed(world);
            await world.call('WebhookService.DeleteWebhook', { subscription_id: id }, partner.caller);
            return world.call('WebhookService.DeleteWebhook', { subscription_id: id }, partner.caller);
          },
        },
      },
    },
    SetWebhookActive: {
      promises: {
        'pauses and resumes; doing what is done already changes nothing': async (world) => {
          const subscription = await subscribed(world);
          const paused = { ...subscription.subscription, is_active: false };
          expect(await setActive(world, subscription, false)).toEqual(paused);
          expect(await setActive(world, subscription, false)).toEqual(paused);
          expect(await setActive(world, subscription, true)).toEqual(subscription.subscription);
        },
        'events that arrive while it is paused are not sent later': async (world) => {
          const subscription = await subscribed(world);
          await setActive(world, subscription, false);
          const other = await subscribed(world, { partner: subscription.partner });
          await completed(world, subscription.partner);
          await attempted(world, other);
          await setActive(world, subscription, true);
          expect(await deliveriesOf(world, subscription)).toEqual([]);
        },
      },
      refuses: {
        NOT_FOUND_WEBHOOK_SUBSCRIPTION: isNotFound('SetWebhookActive'),
        BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT: {
          'resuming a sixth': async (world) => {
            const [first] = await fiveActive(world);
            if (!first) throw new Error('there is none');
            await setActive(world, first, false);
            await subscribed(world, { partner: first.partner });
            return setActive(world, first, true);
          },
        },
      },
    },
    RotateWebhookSecret: {
      promises: {
        'makes a new secret, which signs from the very next attempt': async (world) => {
          const subscription = await delivered(world);
          const { id, partner, secret, path } = subscription;
          const request = { subscription_id: id };
          const answer = await world.call('WebhookService.RotateWebhookSecret', request, partner.caller);
          expect(answer).toEqual({
            subscription: await get(world, subscription),
            secret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
          });
          expect(answer['secret']).not.toBe(secret);
          await completed(world, partner);
          const [first, second] = await receiver.got(path, 2);
          if (!first || !second) throw new Error('two are there');
          expect(isSignedWith(secret, first)).toBe(true);
          expect(isSignedWith(text(answer, 'secret'), second)).toBe(true);
        },
      },
      refuses: { NOT_FOUND_WEBHOOK_SUBSCRIPTION: isNotFound('RotateWebhookSecret') },
    },
    TestFireWebhook: {
      promises: {
        'sends one signed example, subscribed or not, paused or not, and answers its only attempt': async (
          world,
        ) => {
          const subscription = await subscribed(world);
          await setActive(world, subscription, false);
          const delivery = await testFire(world, subscription, 'WEBHOOK_EVENT_TYPE_VARIANT_BACK_IN_STOCK');
          expect(delivery).toMatchObject({
            ...subscription.partner.ref,
            subscription_id: subscription.id,
            event_type: 'WEBHOOK_EVENT_TYPE_VARIANT_BACK_IN_STOCK',
            status: 'WEBHOOK_DELIVERY_STATUS_DELIVERED',
            attempt_count: 1,
            response_status: 200,
            is_test: true,
            next_attempt_at: null,
            attempts: [
              {
                attempt_number: 1,
                response_status: 200,
                error_summary: 'WEBHOOK_ERROR_SUMMARY_UNSPECIFIED',
              },
            ],
          });
          const [sent] = await receiver.got(subscription.path, 1);
          expect(sent && isSignedWith(subscription.secret, sent)).toBe(true);
          expect(JSON.parse(sent?.body ?? '')).toMatchObject({
            eventId: delivery['event_id'],
            eventType: 'variant.back-in-stock',
          });
        },
        'is dead-lettered after one attempt that fails, and does not count as a last delivery': async (
          world,
        ) => {
          const subscription = await subscribed(world, { isRefusing: true });
          expect(await testFire(world, subscription)).toMatchObject({
            status: 'WEBHOOK_DELIVERY_STATUS_DEAD_LETTERED',
            attempt_count: 1,
            response_status: 500,
            error_summary: 'WEBHOOK_ERROR_SUMMARY_DELIVERY_FAILED',
          });
          expect(await get(world, subscription)).toMatchObject({
            last_delivery_status: 'WEBHOOK_LAST_DELIVERY_STATUS_UNSPECIFIED',
          });
        },
      },
      refuses: {
        NOT_FOUND_WEBHOOK_SUBSCRIPTION: isNotFound('TestFireWebhook', { event_type: COMPLETED }),
        VALIDATION_FAILED: {
          'no event type': async (world) =>
            testFire(world, await subscribed(world), 'WEBHOOK_EVENT_TYPE_UNSPECIFIED'),
        },
      },
    },
    ListWebhookDeliveries: {
      promises: {
        'lists newest first, page by page, each with its attempts': async (world) => {
          const subscription = await delivered(world);
          const { order, eventId } = subscription;
          const test = await testFire(world, subscription);
          const listed = await expectPages(world, {
            rpc: 'WebhookService.ListWebhookDeliveries',
            field: 'deliveries',
            request: { subscription_id: subscription.id },
            caller: subscription.partner.caller,
          });
          expect(listed).toMatchObject([
            { id: test['id'], is_test: true },
            {
              subscription_id: subscription.id,
              event_id: eventId,
              event_type: COMPLETED,
              status: 'WEBHOOK_DELIVERY_STATUS_DELIVERED',
              attempt_count: 1,
              response_status: 200,
              next_attempt_at: null,
              is_test: false,
              order_global_id: order['order_global_id'],
              attempts: [{ attempt_number: 1, response_status: 200 }],
            },
          ]);
        },
        'keeps to an event type and a status': async (world) => {
          const subscription = await delivered(world, {
            isRefusing: true,
            events: ['ORDER_COMPLETED', 'ORDER_FAILED'],
          });
          const listed = (more: Message) => deliveriesOf(world, subscription, more);
          expect(await listed({ event_type: 'WEBHOOK_EVENT_TYPE_ORDER_FAILED' })).toEqual([]);
          expect(await listed({ status: 'WEBHOOK_DELIVERY_STATUS_DELIVERED' })).toEqual([]);
          expect(
            await listed({ event_type: COMPLETED, status: 'WEBHOOK_DELIVERY_STATUS_PENDING' }),
          ).toMatchObject([
            {
              next_attempt_at: expect.any(String),
              response_status: 500,
              error_summary: 'WEBHOOK_ERROR_SUMMARY_DELIVERY_FAILED',
            },
          ]);
        },
      },
      refuses: { NOT_FOUND_WEBHOOK_SUBSCRIPTION: isNotFound('ListWebhookDeliveries') },
    },
    RedeliverWebhookDelivery: {
      promises: {
        'sends the event again with the same event id, as a new delivery': async (world) => {
          const subscription = await delivered(world);
          const { delivery, path, eventId } = subscription;
          const answer = await eventuallyAllowed(() => redeliver(world, subscription, delivery));
          const again = part(answer, 'delivery');
          expect(again).toMatchObject({ event_id: eventId, event_type: COMPLETED, is_test: false });
          expect(again['id']).not.toBe(delivery['id']);
          const [first, second] = await receiver.got(path, 2);
          expect(second?.body).toBe(first?.body);
        },
      },
      refuses: {
        NOT_FOUND_WEBHOOK_SUBSCRIPTION: isNotFound('RedeliverWebhookDelivery', { delivery_id: uuidv7() }),
        NOT_FOUND_WEBHOOK_DELIVERY: {
          'an unknown delivery': async (world) => redeliver(world, await subscribed(world), { id: uuidv7() }),
          'a delivery of another subscription': async (world) => {
            const { partner, delivery } = await delivered(world);
            return redeliver(world, await subscribed(world, { partner }), delivery);
          },
        },
        CONFLICT_DELIVERY_NOT_FINAL: {
          'a pending one': async (world) => {
            const subscription = await delivered(world, { isRefusing: true });
            return redeliver(world, subscription, subscription.delivery);
          },
          'a test': async (world) => {
            const subscription = await subscribed(world);
            return redeliver(world, subscription, await testFire(world, subscription));
          },
        },
        RATE_LIMITED: {
          'a second one within a second': async (world) => {
            const subscription = await delivered(world);
            const { delivery } = subscription;
            await eventuallyAllowed(() => redeliver(world, subscription, delivery));
            return Promise.all([1, 2, 3].map(() => redeliver(world, subscription, delivery)));
          },
        },
      },
    },
  },
};

/** The delivery itself may be less than a second old. */
function eventuallyAllowed<T>(work: () => Promise<T>): Promise<T> {
  return eventually(work, { timeoutMs: 3_000, intervalMs: 100 });
}
