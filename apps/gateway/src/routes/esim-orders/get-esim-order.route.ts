import { z } from 'zod';
import { presentEsimOrder } from '@reseller/presenters';
import { uuid } from '../../schemas/fields';
import { esimOrder } from '../../schemas/orders';
import { exampleEsimOrder } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/orders/esim/{orderId} */
export const getEsimOrder = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/esim/{orderId}',
  tag: 'eSIM orders',
  summary: 'Read an eSIM order',
  description: 'An order of another partner or environment is answered as if it did not exist.',
  params: z.object({ orderId: uuid('The orderId of the create’s answer.') }),
  response: esimOrder,
  errors: ['NOT_FOUND_ESIM_ORDER'],
  examples: { params: { orderId: exampleEsimOrder.orderId }, response: exampleEsimOrder },
  async handle({ params, call, clients }) {
    const { order } = await clients.esimOrders.getEsimOrder({ orderId: params.orderId }, call);
    return presentEsimOrder(order);
  },
});
