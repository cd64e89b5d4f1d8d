import { z } from 'zod';
import { presentPage } from '@reseller/presenters';
import { presentEsimProduct } from '../../presenters/esim-product.presenter';
import { pageOf } from '../../schemas/envelope';
import { name, pageQuery } from '../../schemas/fields';
import { esimProduct } from '../../schemas/orders';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/esim/products */
export const listEsimProducts = defineRoute({
  method: 'GET',
  path: '/api/v1/esim/products',
  tag: 'Reference data',
  summary: 'List eSIM products',
  description:
    'By name. The productSku values that eSIM orders take, with the price that an order must name.',
  query: z.object({
    ...pageQuery,
    geoScopeGlobalId: name('Only products of this geo scope; an unknown one has none.').optional(),
  }),
  response: pageOf(esimProduct),
  errors: [],
  examples: {
    query: { geoScopeGlobalId: 'GEO-SA' },
    response: {
      items: [
        {
          productSku: 'ESIM-SA-5GB-30D',
          name: 'Saudi Arabia 5 GB, 30 days',
          geoScopeGlobalId: 'GEO-SA',
          dataAllowance: 5,
          validityDays: 30,
          amount: 59,
          currency: 'SAR',
          isActive: true,
        },
      ],
      pagination: examplePagination,
    },
  },
  async handle({ query: { page, pageSize, geoScopeGlobalId }, call, clients }) {
    const list = await clients.orders.listEsimProducts({ page: { page, pageSize }, geoScopeGlobalId }, call);
    return presentPage(list.products, list.page, presentEsimProduct);
  },
});
