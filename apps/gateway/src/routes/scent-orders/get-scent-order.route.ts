import { presentScentOrder } from '@reseller/presenters';
import { z } from 'zod';
import { uuid } from '../../schemas/fields';
import { scentOrder } from '../../schemas/scent-orders';
import { exampleScentOrder } from './examples';
import { defineRoute } from '../route';

/** GET /api/v1/orders/scent/{orderId} */
export const getScentOrder = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/scent/{orderId}',
  tag: 'Scent orders',
  summary: 'Read a scent order',
  description: 'An order of another partner or environment is answered as if it did not exist.',
  params: z.object({ orderId: uuid('The id of the create’s answer.') }),
  response: scentOrder,
  errors: ['NOT_FOUND_SCENT_ORDER'],
  examples: { params: { orderId: exampleScentOrder.id }, response: exampleScentOrder },
  async handle({ params, call, clients }) {
    const { order } = await clients.scentOrders.getScentOrder({ orderId: params.orderId }, call);
    return presentScentOrder(order);
  },
});
