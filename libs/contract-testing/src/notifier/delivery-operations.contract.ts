import { expect } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import type { ServiceContract } from '../contract';
import { list, part } from '../message';
import { expectPages } from '../paging';
import type { World } from '../world';
import { delivered, receiver, subscribed } from './arrange';

const redeliver = (world: World, delivery_id: unknown) =>
  world.call('DeliveryOperationsService.RedeliverAnyWebhookDelivery', { delivery_id });

/** What operators see and do with deliveries of every partner. */
export const deliveryOperations: ServiceContract = {
  service: 'DeliveryOperationsService',
  speaksFor: 'whom the request names',
  rpcs: {
    ListAllWebhookDeliveries: {
      promises: {
        'lists every partner’s, newest first, page by page': async (world) => {
          const older = await delivered(world);
          const newer = await delivered(world);
          const listed = await expectPages(world, {
            rpc: 'DeliveryOperationsService.ListAllWebhookDeliveries',
            field: 'deliveries',
            request: { status: 'WEBHOOK_DELIVERY_STATUS_DELIVERED' },
          });
          expect(listed.slice(0, 2)).toEqual([newer.delivery, older.delivery]);
        },
        'keeps to a status': async (world) => {
          await delivered(world, { isRefusing: true });
          const answer = await world.call('DeliveryOperationsService.ListAllWebhookDeliveries', {
            status: 'WEBHOOK_DELIVERY_STATUS_PENDING',
          });
          const statuses = list(answer, 'deliveries').map(({ status }) => status);
          expect(new Set(statuses)).toEqual(new Set(['WEBHOOK_DELIVERY_STATUS_PENDING']));
        },
      },
    },
    GetAnyWebhookDelivery: {
      promises: {
        'answers one delivery with its attempts': async (world) => {
          const { delivery } = await delivered(world);
          const request = { delivery_id: delivery['id'] };
          expect(await world.call('DeliveryOperationsService.GetAnyWebhookDelivery', request)).toEqual({
            delivery,
          });
        },
      },
      refuses: {
        NOT_FOUND_WEBHOOK_DELIVERY: {
          'an unknown id': (world) =>
            world.call('DeliveryOperationsService.GetAnyWebhookDelivery', { delivery_id: uuidv7() }),
          'an id that is none': (world) =>
            world.call('DeliveryOperationsService.GetAnyWebhookDelivery', { delivery_id: 'one' }),
        },
      },
    },
    RedeliverAnyWebhookDelivery: {
      promises: {
        'sends the event again with the same event id, as a new delivery': async (world) => {
          const { delivery, path } = await delivered(world);
          const answer = await eventually(() => redeliver(world, delivery['id']), { intervalMs: 100 });
          expect(part(answer, 'delivery')).toMatchObject({ event_id: delivery['event_id'] });
          const [first, second] = await receiver.got(path, 2);
          expect(second?.body).toBe(first?.body);
        },
      },
      refuses: {
        NOT_FOUND_WEBHOOK_DELIVERY: {
          'an unknown id': (world) => redeliver(world, uuidv7()),
        },
        NOT_FOUND_WEBHOOK_SUBSCRIPTION: {
          'a delivery of a subscription that was deleted': async (world) => {
            const { id, partner, delivery } = await delivered(world);
            await world.call('WebhookService.DeleteWebhook', { subscription_id: id }, partner.caller);
            return redeliver(world, delivery['id']);
          },
        },
        CONFLICT_DELIVERY_NOT_FINAL: {
          'a pending one': async (world) =>
            redeliver(world, (await delivered(world, { isRefusing: true })).delivery['id']),
          'a test': async (world) => {
            const { id, partner } = await subscribed(world);
            const test = await world.call(
              'WebhookService.TestFireWebhook',
              { subscription_id: id, event_type: 'WEBHOOK_EVENT_TYPE_ORDER_FAILED' },
              partner.caller,
            );
            return redeliver(world, part(test, 'delivery')['id']);
          },
        },
        RATE_LIMITED: {
          'a second one within a second': async (world) => {
            const { delivery } = await delivered(world);
            await eventually(() => redeliver(world, delivery['id']), { intervalMs: 100 });
            return Promise.all([1, 2, 3].map(() => redeliver(world, delivery['id'])));
          },
        },
      },
    },
    ListDeliveriesOfOrder: {
      promises: {
        'lists every delivery that tells of the order, oldest first': async (world) => {
          const { delivery, order } = await delivered(world);
          const again = await eventually(() => redeliver(world, delivery['id']), { intervalMs: 100 });
          const answer = await world.call('DeliveryOperationsService.ListDeliveriesOfOrder', {
            order_global_id: order['order_global_id'],
          });
          expect(list(answer, 'deliveries').map(({ id }) => id)).toEqual([
            delivery['id'],
            part(again, 'delivery')['id'],
          ]);
        },
        'lists none for an unknown order': async (world) => {
          const request = { order_global_id: 'TU-nothing' };
          expect(await world.call('DeliveryOperationsService.ListDeliveriesOfOrder', request)).toEqual({
            deliveries: [],
          });
        },
      },
    },
  },
};
