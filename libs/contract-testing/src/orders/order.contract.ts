import { expect } from '@jest/globals';
import type { Message, ServiceContract } from '../contract';
import { list } from '../message';
import { expectPages } from '../paging';
import { elsewhere, newPartner, type World } from '../world';
import { esimRequest, fundedPartner, place, scentRequest, topupRequest } from './arrange';

/** One order of each product, oldest first. */
async function oneOfEach(world: World) {
  const partner = fundedPartner();
  const topup = await place(world, 'Topup', partner, topupRequest());
  const esim = await place(world, 'Esim', partner, esimRequest());
  const scent = await place(world, 'Scent', partner, scentRequest({ customer_ref: 'c-1' }));
  return { partner, topup, esim, scent };
}

const summaryOf = (product: string, order: Message, more: Message = {}): Message => ({
  product_type: `PRODUCT_TYPE_${product}`,
  order_id: order['order_id'],
  order_global_id: order['order_global_id'],
  external_reference: order['external_reference'],
  status: order['status'],
  amount: order['amount'] ?? order['total_amount_with_vat'],
  currency: 'SAR',
  submitted_at: order['submitted_at'],
  completed_at: order['completed_at'],
  display_rate: null,
  ...more,
});

const get = (world: World, order_global_id: unknown, caller = newPartner().caller) =>
  world.call('OrderService.GetOrderByGlobalId', { order_global_id }, caller);

/** Orders of every product side by side, and what can be ordered. */
export const orders: ServiceContract[] = [
  {
    service: 'OrderService',
    speaksFor: 'the partner of the metadata',
    rpcs: {
      ListOrders: {
        promises: {
          'lists orders of every product newest first, page by page, and nobody else’s': async (world) => {
            const { partner, topup, esim, scent } = await oneOfEach(world);
            await oneOfEach(world);
            const listed = await expectPages(world, {
              rpc: 'OrderService.ListOrders',
              field: 'orders',
              caller: partner.caller,
            });
            expect(listed).toMatchObject([
              summaryOf('SCENT', scent, { customer_ref: 'c-1' }),
              summaryOf('ESIM', esim),
              summaryOf('TOPUP', topup),
            ]);
          },
          'keeps to a product, a status, a reference and a time': async (world) => {
            const { partner, esim } = await oneOfEach(world);
            const listed = async (filter: Message) =>
              list(await world.call('OrderService.ListOrders', filter, partner.caller), 'orders').map(
                ({ order_id }) => order_id,
              );
            const all = {
              product_type: 'PRODUCT_TYPE_ESIM',
              status: 'ORDER_STATUS_COMPLETED',
              external_reference: esim['external_reference'],
              from_at: new Date(0),
            };
            expect(await listed(all)).toEqual([esim['order_id']]);
            for (const other of [
              { product_type: 'PRODUCT_TYPE_TOPUP' },
              { status: 'ORDER_STATUS_FAILED' },
              { external_reference: 'none' },
              { to_at: new Date(0) },
            ])
              expect(await listed({ ...all, ...other })).toEqual([]);
          },
        },
      },
      GetOrderByGlobalId: {
        promises: {
          'answers the summary and the product’s own resource': async (world) => {
            const { partner, topup, esim, scent } = await oneOfEach(world);
            for (const [name, order] of Object.entries({ topup, esim, scent })) {
              const answer = await get(world, order['order_global_id'], partner.caller);
              expect(answer).toMatchObject({ summary: summaryOf(name.toUpperCase(), order) });
              expect(answer['order']).toMatchObject({ [name]: order });
            }
          },
        },
        refuses: {
          NOT_FOUND_ORDER: {
            'an unknown id': (world) => get(world, 'TU-NONE'),
            'another partner’s': async (world) =>
              get(world, (await place(world, 'Topup', fundedPartner(), topupRequest()))['order_global_id']),
            'the other environment’s': async (world) => {
              const partner = fundedPartner();
              const order = await place(world, 'Topup', partner, topupRequest());
              return get(world, order['order_global_id'], elsewhere(partner).caller);
            },
          },
        },
      },
    },
  },
  {
    service: 'OrderService',
    speaksFor: 'whom the request names',
    rpcs: {
      ListGeoScopes: {
        promises: {
          'says where what is sold, and within which limits': async (world) => {
            const scopes = list(await world.call('OrderService.ListGeoScopes'), 'geo_scopes');
            expect(scopes.length).toBeGreaterThan(0);
            for (const scope of scopes) {
              const sellsTopup = list(scope, 'products').includes('PRODUCT_TYPE_TOPUP' as never);
              expect(scope).toMatchObject({
                global_id: expect.any(String),
                name: expect.any(String),
                country: expect.stringMatching(/^[A-Z]{2}$/),
                currency: expect.stringMatching(/^[A-Z]{3}$/),
                topup: sellsTopup ? { min_amount: expect.any(String), max_amount: expect.any(String) } : null,
              });
            }
          },
        },
      },
      ListEsimProducts: {
        promises: {
          'lists products by name, page by page': async (world) => {
            const products = await expectPages(world, {
              rpc: 'OrderService.ListEsimProducts',
              field: 'products',
            });
            const names = products.map(({ name }) => String(name));
            expect(names).toEqual([...names].sort());
            expect(products).toContainEqual(
              expect.objectContaining({ product_sku: 'ESIM-SA-1GB-7D', amount: '19.00', is_active: true }),
            );
          },
          'keeps to a geo scope; an unknown one gives an empty page': async (world) => {
            const of = async (geo_scope_global_id: string) =>
              list(
                await world.call('OrderService.ListEsimProducts', { geo_scope_global_id }),
                'products',
              ).map((product) => product['geo_scope_global_id']);
            expect(new Set(await of('GEO-SA'))).toEqual(new Set(['GEO-SA']));
            expect(await of('GEO-NONE')).toEqual([]);
          },
        },
      },
    },
  },
];
