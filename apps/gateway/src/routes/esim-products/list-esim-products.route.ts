import type { EsimProduct } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { presentPage } from '@reseller/presenters';
import { z } from 'zod';
import { plan } from '../../products/esim';
import { money, pageOf } from '../../fields/response-fields';
import { name, pageQuery } from '../../fields/request-fields';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';

const esimProduct = z
  .strictObject({
    ...plan,
    name: z.string(),
    geoScopeGlobalId: z.string(),
    amount: money('What an order costs, and must name.'),
    currency: z.string(),
    isActive: z.boolean().meta({ description: 'An inactive product cannot be ordered.' }),
  })
  .meta({ id: 'EsimProduct' });

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

function presentEsimProduct(product: EsimProduct): z.input<typeof esimProduct> {
  const { dataAllowance, amount, ...same } = product;
  return { ...same, dataAllowance: toJsonNumber(dataAllowance), amount: toJsonNumber(amount) };
}
