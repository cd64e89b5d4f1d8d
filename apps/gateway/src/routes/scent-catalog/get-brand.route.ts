import { z } from 'zod';
import { presentBrand } from './catalog.presenter';
import { uuid } from '../../fields/request-fields';
import { brand } from './catalog.schema';
import { exampleBrand } from './examples';
import { defineRoute } from '../route';

/** GET /api/v1/scent/brands/{id} */
export const getBrand = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/brands/{id}',
  tag: 'Scent catalog',
  summary: 'Read a brand',
  description: 'One brand of the catalog.',
  params: z.object({ id: uuid('The brand’s id.') }),
  response: brand,
  errors: ['NOT_FOUND_BRAND'],
  examples: { params: { id: exampleBrand.id }, response: exampleBrand },
  async handle({ params, call, clients }) {
    return presentBrand((await clients.catalog.getBrand({ brandId: params.id }, call)).brand);
  },
});
