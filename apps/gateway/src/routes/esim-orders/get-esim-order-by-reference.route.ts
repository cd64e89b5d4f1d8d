import { z } from 'zod';
import { presentEsimOrder } from '@reseller/presenters';
import { externalReference } from '../../schemas/fields';
import { esimOrder } from '../../schemas/orders';
import { exampleEsimOrder } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/orders/esim/reference/{externalReference} */
export const getEsimOrderByReference = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/esim/reference/{externalReference}',
  tag: 'eSIM orders',
  summary: 'Read an eSIM order by your own reference',
  description: 'Tells what became of a create whose answer was lost. Percent-encode the reference.',
  params: z.object({ externalReference }),
  response: esimOrder,
  errors: ['NOT_FOUND_ESIM_ORDER'],
  examples: {
    params: { externalReference: exampleEsimOrder.externalReference },
    response: exampleEsimOrder,
  },
  async handle({ params, call, clients }) {
    const { order } = await clients.esimOrders.getEsimOrderByReference(params, call);
    return presentEsimOrder(order);
  },
});
