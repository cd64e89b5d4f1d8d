import { z } from 'zod';
import { presentTopupOrder } from '@reseller/presenters';
import { uuid } from '../../schemas/fields';
import { topupOrder } from '../../schemas/orders';
import { exampleTopupOrder } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/orders/topup/{orderId} */
export const getTopupOrder = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/topup/{orderId}',
  tag: 'Top-up orders',
  summary: 'Read a top-up order',
  description: 'An order of another partner or environment is answered as if it did not exist.',
  params: z.object({ orderId: uuid('The orderId of the create’s answer.') }),
  response: topupOrder,
  errors: ['NOT_FOUND_TOPUP_ORDER'],
  examples: { params: { orderId: exampleTopupOrder.orderId }, response: exampleTopupOrder },
  async handle({ params, call, clients }) {
    const { order } = await clients.topupOrders.getTopupOrder({ orderId: params.orderId }, call);
    return presentTopupOrder(order);
  },
});
