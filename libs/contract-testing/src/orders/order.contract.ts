import { expect } from '@jest/globals';
import type { Message } from '../contract';
import { partnerService, rpc, service } from '../notation';
import { byAStranger, inTheOtherEnvironment } from '../variations';
import type { World } from '../world';
import { buyer, place } from './arrange';

/** One order of each product, oldest first. */
async function oneOfEach(world: World) {
  const partner = buyer(world);
  const topup = await place(partner, 'Topup');
  const esim = await place(partner, 'Esim');
  const scent = await place(partner, 'Scent', 'completed', { customer_ref: 'c-1' });
  return { partner, topup, esim, scent };
}

const SHARED = [
  'order_id',
  'order_global_id',
  'external_reference',
  'status',
  'submitted_at',
  'completed_at',
  'display_rate',
];

const summaryOf = (product: string, order: Message, more: Message = {}): Message => ({
  ...Object.fromEntries(SHARED.map((field) => [field, order[field]])),
  product_type: `PRODUCT_TYPE_${product}`,
  amount: order.amount ?? order.total_amount_with_vat,
  currency: 'SAR',
  ...more,
});

/** Orders of every product side by side, and what can be ordered. */
export const orders = [
  partnerService('OrderService', {
    ListOrders: rpc(undefined, {
      'lists orders of every product newest first, page by page, and nobody else’s': async (use) => {
        const { partner, topup, esim, scent } = await oneOfEach(use);
        await place(buyer(use));
        expect(await partner.pages('ListOrders')).toMatchObject([
          summaryOf('SCENT', scent, { customer_ref: 'c-1' }),
          summaryOf('ESIM', esim),
          summaryOf('TOPUP', topup),
        ]);
      },
      'keeps to a product, a status, a reference and a time': async (use) => {
        const { partner, esim } = await oneOfEach(use);
        const filters = {
          product_type: 'PRODUCT_TYPE_ESIM',
          status: 'ORDER_STATUS_COMPLETED',
          external_reference: esim.external_reference,
          from_at: new Date(0),
        };
        const others = [
          { product_type: 'PRODUCT_TYPE_TOPUP' },
          { status: 'ORDER_STATUS_FAILED' },
          { external_reference: 'none' },
          { to_at: new Date(0) },
        ];
        await partner.keepsTo('ListOrders', filters, others, [{ order_id: esim.order_id }]);
      },
    }),
    GetOrderByGlobalId: rpc(
      async (world) => {
        const partner = buyer(world);
        return [partner, { order_global_id: (await place(partner)).order_global_id }];
      },
      {
        'answers the summary and the product’s own resource': async (use) => {
          const { partner, ...orders } = await oneOfEach(use);
          for (const [name, order] of Object.entries(orders)) {
            const { order_global_id } = order;
            expect(await partner.call('GetOrderByGlobalId', { order_global_id })).toMatchObject({
              summary: summaryOf(name.toUpperCase(), order),
              order: { [name]: order },
            });
          }
        },
        'NOT_FOUND_ORDER: an unknown id': { order_global_id: 'TU-NONE' },
        'NOT_FOUND_ORDER: another partner’s': byAStranger,
        'NOT_FOUND_ORDER: the other environment’s': inTheOtherEnvironment,
      },
    ),
  }),
  service('OrderService', {
    ListGeoScopes: rpc(undefined, {
      'says where what is sold, and within which limits': async (use) => {
        const scopes = await use.list('ListGeoScopes');
        expect(scopes).not.toEqual([]);
        for (const scope of scopes) {
          const sellsTopup = (scope.products as string[]).includes('PRODUCT_TYPE_TOPUP');
          expect(scope).toMatchObject({
            global_id: expect.any(String),
            name: expect.any(String),
            country: expect.stringMatching(/^[A-Z]{2}$/),
            currency: expect.stringMatching(/^[A-Z]{3}$/),
            topup: sellsTopup ? { min_amount: expect.any(String), max_amount: expect.any(String) } : null,
          });
        }
      },
    }),
    ListEsimProducts: rpc(undefined, {
      'lists products by name, page by page': async (use) => {
        const products = await use.pages('ListEsimProducts');
        const names = products.map(({ name }) => String(name));
        expect(names).toEqual([...names].sort());
        expect(products).toContainEqual(
          expect.objectContaining({ product_sku: 'ESIM-SA-1GB-7D', amount: '19.00', is_active: true }),
        );
      },
      'keeps to a geo scope; an unknown one gives an empty page': async (use) => {
        const products = await use.list('ListEsimProducts', { geo_scope_global_id: 'GEO-SA' });
        expect([...new Set(products.map((one) => one.geo_scope_global_id))]).toEqual(['GEO-SA']);
        expect(await use.list('ListEsimProducts', { geo_scope_global_id: 'GEO-NONE' })).toEqual([]);
      },
    }),
  }),
];
