import { presentPage } from '@reseller/presenters';
import { z } from 'zod';
import { presentScent } from './catalog.presenter';
import { pageOf } from '../../fields/response-fields';
import { pageQuery, text, uuidFilter } from '../../fields/request-fields';
import { scent } from './catalog.schema';
import { examplePagination } from '../examples';
import { exampleScent } from './examples';
import { defineRoute } from '../route';

/** GET /api/v1/scent/scents */
export const listScents = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/scents',
  tag: 'Scent catalog',
  summary: 'List scents',
  description: 'By name, each with its variants on sale, priced for you.',
  query: z.object({
    ...pageQuery,
    brandId: uuidFilter('Only scents of this brand; an unknown one has none.').optional(),
    search: text('A part of the scent’s or the brand’s name, in any letter case.', {
      min: 0,
      max: 128,
    }).optional(),
  }),
  response: pageOf(scent),
  errors: [],
  examples: { response: { items: [exampleScent], pagination: examplePagination } },
  async handle({ query: { page, pageSize, ...filter }, call, clients }) {
    const list = await clients.catalog.listScents({ page: { page, pageSize }, ...filter }, call);
    return presentPage(list.scents, list.page, (item) => presentScent(item, list.displayRate));
  },
});
