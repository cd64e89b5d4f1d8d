import { z } from 'zod';
import { presentVariantAvailability } from './catalog.presenter';
import { uuid } from '../../fields/request-fields';
import { variantAvailability } from './catalog.schema';
import { exampleVariant } from './examples';
import { defineRoute } from '../route';

/** GET /api/v1/scent/variants/{id}/availability */
export const getVariantAvailability = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/variants/{id}/availability',
  tag: 'Scent catalog',
  summary: 'Read how much of a variant can be bought',
  description: 'Stock on hand less what running orders have reserved, at this moment.',
  params: z.object({ id: uuid('The variant’s id.') }),
  response: variantAvailability,
  errors: ['NOT_FOUND_VARIANT'],
  examples: {
    params: { id: exampleVariant.id },
    response: { variantId: exampleVariant.id, availability: 'Limited', availableQuantity: 4 },
  },
  async handle({ params, call, clients }) {
    return presentVariantAvailability(
      await clients.catalog.getVariantAvailability({ variantId: params.id }, call),
    );
  },
});
