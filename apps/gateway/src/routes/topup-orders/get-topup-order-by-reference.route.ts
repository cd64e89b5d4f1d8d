import { z } from 'zod';
import { presentTopupOrder } from '@reseller/presenters';
import { externalReference } from '../../schemas/fields';
import { topupOrder } from '../../schemas/orders';
import { exampleTopupOrder } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/orders/topup/reference/{externalReference} */
export const getTopupOrderByReference = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/topup/reference/{externalReference}',
  tag: 'Top-up orders',
  summary: 'Read a top-up order by your own reference',
  description: 'Tells what became of a create whose answer was lost. Percent-encode the reference.',
  params: z.object({ externalReference }),
  response: topupOrder,
  errors: ['NOT_FOUND_TOPUP_ORDER'],
  examples: {
    params: { externalReference: exampleTopupOrder.externalReference },
    response: exampleTopupOrder,
  },
  async handle({ params, call, clients }) {
    const { order } = await clients.topupOrders.getTopupOrderByReference(params, call);
    return presentTopupOrder(order);
  },
});
