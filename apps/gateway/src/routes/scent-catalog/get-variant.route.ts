import { z } from 'zod';
import { presentVariant } from './catalog.presenter';
import { uuid } from '../../fields/request-fields';
import { variant } from './catalog.schema';
import { exampleVariant } from './examples';
import { defineRoute } from '../route';

/** GET /api/v1/scent/variants/{id} */
export const getVariant = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/variants/{id}',
  tag: 'Scent catalog',
  summary: 'Read a variant',
  description: 'One variant on sale, priced for you. One taken off sale is returned as if it did not exist.',
  params: z.object({ id: uuid('The variant’s id.') }),
  response: variant,
  errors: ['NOT_FOUND_VARIANT'],
  examples: { params: { id: exampleVariant.id }, response: exampleVariant },
  async handle({ params, call, clients }) {
    const reply = await clients.catalog.getVariant({ variantId: params.id }, call);
    return presentVariant(reply.variant, reply.displayRate);
  },
});
