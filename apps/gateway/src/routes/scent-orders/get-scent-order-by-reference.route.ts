import { presentScentOrder } from '@reseller/presenters';
import { z } from 'zod';
import { externalReference } from '../../schemas/fields';
import { scentOrder } from '../../schemas/scent-orders';
import { exampleScentOrder } from './examples';
import { defineRoute } from '../route';

/** GET /api/v1/orders/scent/reference/{externalReference} */
export const getScentOrderByReference = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/scent/reference/{externalReference}',
  tag: 'Scent orders',
  summary: 'Read a scent order by your own reference',
  description: 'Tells what became of a checkout whose answer was lost. Percent-encode the reference.',
  params: z.object({ externalReference }),
  response: scentOrder,
  errors: ['NOT_FOUND_SCENT_ORDER'],
  examples: {
    params: { externalReference: exampleScentOrder.externalReference },
    response: exampleScentOrder,
  },
  async handle({ params, call, clients }) {
    const { order } = await clients.scentOrders.getScentOrderByReference(params, call);
    return presentScentOrder(order);
  },
});
