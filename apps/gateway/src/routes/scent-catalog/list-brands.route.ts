import { presentPage } from '@reseller/presenters';
import { z } from 'zod';
import { presentBrand } from './catalog.presenter';
import { pageOf } from '../../fields/response-fields';
import { pageQuery } from '../../fields/request-fields';
import { brand } from './catalog.schema';
import { exampleBrand } from './examples';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/scent/brands */
export const listBrands = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/brands',
  tag: 'Scent catalog',
  summary: 'List brands',
  description: 'By name: everyone whose scents are in the catalog.',
  query: z.object(pageQuery),
  response: pageOf(brand),
  errors: [],
  examples: { response: { items: [exampleBrand], pagination: examplePagination } },
  async handle({ query, call, clients }) {
    const list = await clients.catalog.listBrands({ page: query }, call);
    return presentPage(list.brands, list.page, presentBrand);
  },
});
