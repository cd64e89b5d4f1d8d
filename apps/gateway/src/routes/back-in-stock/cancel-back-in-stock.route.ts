import { z } from 'zod';
import { presentRegistration, backInStockRegistration, exampleRegistration } from './registration.resource';
import { uuid } from '../../fields/request-fields';
import { defineRoute } from '../route';

/** DELETE /api/v1/scent/cart/back-in-stock/{id} */
export const cancelBackInStock = defineRoute({
  method: 'DELETE',
  path: '/api/v1/scent/cart/back-in-stock/{id}',
  tag: 'Scent cart',
  summary: 'Cancel a back-in-stock registration',
  description: 'Returns the cancelled registration; one that is no longer Active is returned as it is.',
  params: z.object({ id: uuid('The registration’s id.') }),
  response: backInStockRegistration,
  errors: ['NOT_FOUND_BACK_IN_STOCK_REGISTRATION'],
  examples: {
    params: { id: exampleRegistration.id },
    response: { ...exampleRegistration, status: 'Cancelled' },
  },
  async handle({ params, call, clients }) {
    return presentRegistration((await clients.backInStock.cancelBackInStock(params, call)).registration);
  },
});
