import { z } from 'zod';
import { presentUnifiedOrder } from '@reseller/presenters';
import { text } from '../../fields/request-fields';
import { exampleTopupOrder } from '../../products/topup';
import { showsOrders } from '../../certification/orders-shown';
import { defineRoute } from '../route';
import { exampleOrderSummary, unifiedOrder } from './order.resource';

/** GET /api/v1/orders/by-global-id/{orderGlobalId} */
export const getOrderByGlobalId = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/by-global-id/{orderGlobalId}',
  tag: 'Orders',
  shows: showsOrders(),
  summary: 'Read an order of any product',
  description: 'The shared fields, and in `order` the product’s own full resource.',
  params: z.object({ orderGlobalId: text('The order’s global id.', { min: 1, max: 128 }) }),
  response: unifiedOrder,
  errors: ['NOT_FOUND_ORDER'],
  examples: {
    params: { orderGlobalId: exampleTopupOrder.orderGlobalId },
    response: { ...exampleOrderSummary, order: exampleTopupOrder },
  },
  async handle({ params, call, clients }) {
    return presentUnifiedOrder(await clients.orders.getOrderByGlobalId(params, call));
  },
});
