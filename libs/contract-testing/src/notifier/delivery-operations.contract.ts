import { byOperators, expect, lists, reads, rpc, service } from '../prelude';
import type { Message, World } from '../prelude';
import { awaitsVersion } from '../common/partner-version';
import { delivered, receiver, subscribed } from './arrange';
import { redelivered, redelivers } from './redelivery';

const made = async (world: World): Promise<Message> => (await delivered(world)).delivery;

const NO_TIME = { environment: 'ENVIRONMENT_LIVE', from_at: new Date(0), to_at: new Date(1) };

/** What operators see and do with deliveries of every partner. */
export const deliveryOperations = service('DeliveryOperationsService', {
  ListWebhooksOfPartner: lists(
    async (world) => {
      const live = await subscribed(world, { partner: world.partner('live') });
      const sandbox = await subscribed(world, { partner: live.partner.elsewhere() });
      return [world, [live.subscription, sandbox.subscription], { partner_id: live.partner.id }];
    },
    {
      'lists none of an unknown partner, nor of what is no id': async (use) => {
        for (const partner_id of [use.partner().id, 'nobody'])
          expect(await use.list(use.rpc, { partner_id })).toEqual([]);
      },
    },
  ),
  ListAllWebhookDeliveries: lists(async (world) => [world, [await made(world), await made(world)]]),
  SearchWebhookDeliveries: rpc(undefined, {
    'finds by the ids of a delivery, its event, subscription and order, newest first, at most so many':
      async (use) => {
        const { delivery } = await delivered(use);
        const { id, event_id, subscription_id, order_global_id } = delivery;
        await use.finds(use.rpc, delivery, [id, event_id, subscription_id, order_global_id]);
        const again = (await use.get('RedeliverAnyWebhookDelivery', { delivery_id: id })) as Message;
        const newest = await use.list(use.rpc, { text: event_id, limit: 1 });
        expect(newest.map((one) => one.id)).toEqual([again.id]);
      },
  }),
  CountWebhookDeliveries: rpc((world) => [world, NO_TIME], {
    'counts those of an environment that were made within the time, by status': async (use) => {
      const from_at = new Date();
      const { delivery } = await delivered(use);
      await delivered(use, { isRefusing: true });
      const at = new Date(String(delivery.created_at));
      const count = (request: Message) => use.call(use.rpc, request);
      const environment = delivery.environment;
      const made = { environment, from_at: at, to_at: new Date(at.getTime() + 1) };
      expect(await count(made)).toMatchObject({ delivered: 1, dead_lettered: 0, pending: 0 });
      const since = await count({ environment, from_at, to_at: new Date(Date.now() + 60_000) });
      expect(since).toMatchObject({ delivered: 1, dead_lettered: 0, pending: 1 });
      expect(await count({ ...made, environment: 'ENVIRONMENT_LIVE' })).toMatchObject({ delivered: 0 });
      expect(await count({ ...made, from_at, to_at: at })).toMatchObject({ delivered: 0, pending: 0 });
    },
  }),
  GetAnyWebhookDelivery: reads(async (world) => [world, await made(world)], {
    'has the very text that the receiver got': async (use) => {
      const { request, path } = await delivered(use);
      const [sent] = await receiver.got(path, 1);
      expect(await use.call(use.rpc, request)).toMatchObject({ body: sent?.body });
    },
  }),
  RedeliverAnyWebhookDelivery: rpc(byOperators(delivered), {
    ...redelivers,
    'NOT_FOUND_WEBHOOK_SUBSCRIPTION: a delivery of a subscription that was deleted': async (_, given) => {
      await given.partner.call('DeleteWebhook', given.request);
      return given.call();
    },
  }),
  AwaitPartnerFreeze: awaitsVersion,
  ListDeliveriesOfOrder: lists(
    async (world) => {
      const { delivery, request } = await delivered(world);
      const again = await redelivered(() => world.get('RedeliverAnyWebhookDelivery', request));
      return [world, [delivery, { id: again.id }], request];
    },
    { 'lists none for an unknown order': { order_global_id: 'TU-nothing' } },
  ),
});
