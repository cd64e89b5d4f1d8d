import { expect, lists, partnerService, rpc, service } from '../prelude';
import type { Message, World } from '../prelude';
import { buyer, deliveredScent, place, placed } from './arrange';

/** One order of each product, oldest first. */
async function oneOfEach(world: World) {
  const partner = buyer(world);
  const topup = await place(partner, 'Topup');
  const esim = await place(partner, 'Esim');
  const scent = await place(partner, 'Scent', 'completed', { customer_ref: 'c-1' });
  return { partner, topup, esim, scent };
}

/** What a summary shows as the order has it; the golden file has the rest. */
const sharedOf = ({ order_id, status, submitted_at, completed_at, display_rate, ...order }: Message) => ({
  ...{ order_id, status, submitted_at, completed_at, display_rate },
  order_global_id: order.order_global_id,
  external_reference: order.external_reference,
});

/** Orders of every product side by side, and what can be ordered. */
export const orders = [
  partnerService('OrderService', {
    ListOrders: lists(
      async (world) => {
        const { partner, topup, esim, scent } = await oneOfEach(world);
        return [partner, [topup, esim, scent].map(sharedOf)];
      },
      { 'has orders of every product': async (_, { call }) => (await call()).orders },
    ),
    GetOrderByGlobalId: rpc(placed(), {
      'returns the summary and the product’s own resource': async (use) => {
        const { partner, ...orders } = await oneOfEach(use);
        for (const [name, order] of Object.entries(orders)) {
          const { order_global_id } = order;
          expect(await partner.call(use.rpc, { order_global_id })).toMatchObject({
            summary: { ...sharedOf(order), product_type: `PRODUCT_TYPE_${name.toUpperCase()}` },
            order: { [name]: order },
          });
        }
      },
    }),
    GetOrderHistory: rpc(placed(), {
      'begins with PENDING at the submission and ends with the status of now': async (use) => {
        const { partner, ...orders } = await oneOfEach(use);
        const histories = [];
        for (const { order_global_id, status, submitted_at } of Object.values(orders)) {
          const changes = await partner.list(use.rpc, { order_global_id });
          expect(changes[0]).toMatchObject({ status: 'ORDER_STATUS_PENDING', occurred_at: submitted_at });
          expect(changes.at(-1)).toMatchObject({ status });
          histories.push(changes);
        }
        return histories;
      },
      'has the changes of fulfillment groups among them': async (use) => {
        const { partner, request, first } = await deliveredScent(use);
        const changes = await partner.list(use.rpc, request);
        const ofGroup = changes.filter(({ fulfillment_group_id }) => fulfillment_group_id === first.id);
        expect(ofGroup.map(({ group_status }) => group_status)).toEqual([
          'FULFILLMENT_GROUP_STATUS_SHIPPED',
          'FULFILLMENT_GROUP_STATUS_DELIVERED',
        ]);
        return changes.at(-1);
      },
    }),
  }),
  service('OrderService', {
    ListGeoScopes: rpc(undefined, {
      'says where what is sold, and within which limits': async (use) => {
        const scopes = await use.list(use.rpc);
        expect(scopes).not.toEqual([]);
        for (const { products, topup, country, currency } of scopes) {
          expect([country, currency].join()).toMatch(/^[A-Z]{2},[A-Z]{3}$/);
          expect((products as string[]).includes('PRODUCT_TYPE_TOPUP')).toBe(topup !== null);
        }
      },
    }),
    ListEsimProducts: lists((world) => [world], {
      'has the whole of a product': async (_, { call }) =>
        ((await call()).products as Message[]).find(({ product_sku }) => product_sku === 'ESIM-SA-1GB-7D'),
      'an unknown geo scope gives an empty page': { geo_scope_global_id: 'GEO-NONE' },
    }),
  }),
];
