import { expect } from '@jest/globals';
import type { Message } from '../contract';
import { rpc, service } from '../notation';
import { UNKNOWN } from '../variations';
import type { World } from '../world';
import { delivered, type Subscribed } from './arrange';
import { redelivered, redelivers } from './redelivery';

const redeliver = (world: World, _: Subscribed, { id }: Message) =>
  world.call('RedeliverAnyWebhookDelivery', { delivery_id: id });

const ofDelivery = async (world: World) =>
  [world, { delivery_id: (await delivered(world)).delivery.id }] as const;

/** What operators see and do with deliveries of every partner. */
export const deliveryOperations = service('DeliveryOperationsService', {
  ListAllWebhookDeliveries: rpc(undefined, {
    'lists every partner’s, newest first, page by page': async (use) => {
      const older = await delivered(use);
      const newer = await delivered(use);
      const status = 'WEBHOOK_DELIVERY_STATUS_DELIVERED';
      const listed = await use.pages('ListAllWebhookDeliveries', { status });
      expect(listed.slice(0, 2)).toEqual([newer.delivery, older.delivery]);
    },
    'keeps to a status': async (use) => {
      await delivered(use, { isRefusing: true });
      const status = 'WEBHOOK_DELIVERY_STATUS_PENDING';
      const listed = await use.list('ListAllWebhookDeliveries', { status });
      expect([...new Set(listed.map((one) => one.status))]).toEqual([status]);
    },
  }),
  GetAnyWebhookDelivery: rpc(ofDelivery, {
    'answers one delivery with its attempts': async (use) => {
      const { delivery } = await delivered(use);
      expect(await use.get('GetAnyWebhookDelivery', { delivery_id: delivery.id })).toEqual(delivery);
    },
    'NOT_FOUND_WEBHOOK_DELIVERY: an unknown id': { delivery_id: UNKNOWN },
    'NOT_FOUND_WEBHOOK_DELIVERY: an id that is none': { delivery_id: 'one' },
  }),
  RedeliverAnyWebhookDelivery: rpc(ofDelivery, {
    ...redelivers(redeliver),
    'NOT_FOUND_WEBHOOK_DELIVERY: an unknown id': { delivery_id: UNKNOWN },
    'NOT_FOUND_WEBHOOK_SUBSCRIPTION: a delivery of a subscription that was deleted': async (use) => {
      const { partner, named, pair } = await delivered(use);
      await partner.call('DeleteWebhook', named);
      return use.call('RedeliverAnyWebhookDelivery', pair);
    },
  }),
  ListDeliveriesOfOrder: rpc(undefined, {
    'lists every delivery that tells of the order, oldest first': async (use) => {
      const subscription = await delivered(use);
      const { delivery, order } = subscription;
      const again = await redelivered(redeliver)(use, subscription, delivery);
      const { order_global_id } = order;
      const listed = await use.list('ListDeliveriesOfOrder', { order_global_id });
      expect(listed.map(({ id }) => id)).toEqual([delivery.id, (again.delivery as Message).id]);
    },
    'lists none for an unknown order': async (use) =>
      expect(await use.list('ListDeliveriesOfOrder', { order_global_id: 'TU-nothing' })).toEqual([]),
  }),
});
