import { AVAILABILITIES, availabilityFilter, presentPage } from '@reseller/presenters';
import { z } from 'zod';
import { presentVariant } from './catalog.presenter';
import { pageOf } from '../../fields/response-fields';
import { name, pageQuery, uuidFilter } from '../../fields/request-fields';
import { variant } from './catalog.schema';
import { examplePagination } from '../examples';
import { exampleVariant } from './examples';
import { defineRoute } from '../route';

/** GET /api/v1/scent/variants */
export const listVariants = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/variants',
  tag: 'Scent catalog',
  summary: 'List variants',
  description: 'By sku: what is on sale, priced for you. An unknown scent, brand or sku has none.',
  query: z.object({
    ...pageQuery,
    scentId: uuidFilter('Only variants of this scent.').optional(),
    brandId: uuidFilter('Only variants of this brand.').optional(),
    availability: z
      .enum(AVAILABILITIES)
      .optional()
      .meta({ description: 'Only variants of which so much can be bought now.' }),
    sku: name('Only the variant of this sku, compared exactly.').optional(),
  }),
  response: pageOf(variant),
  errors: [],
  examples: { response: { items: [exampleVariant], pagination: examplePagination } },
  async handle({ query: { page, pageSize, availability, ...filter }, call, clients }) {
    const request = {
      page: { page, pageSize },
      availability: availabilityFilter(availability),
      ...filter,
    };
    const list = await clients.catalog.listVariants(request, call);
    return presentPage(list.variants, list.page, (item) => presentVariant(item, list.displayRate));
  },
});
