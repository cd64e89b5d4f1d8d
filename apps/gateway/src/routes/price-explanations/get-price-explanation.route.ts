import { present } from '@reseller/presenters';
import { z } from 'zod';
import { uuid } from '../../fields/request-fields';
import { exampleScentOrder } from '../../products/scent-order.resource';
import { defineRoute } from '../route';
import { examplePriceExplanation, presentExplanation, priceExplanation } from './price-explanation.resource';

/** GET /api/v1/scent/orders/{id}/price-explanation */
export const getPriceExplanation = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/orders/{id}/price-explanation',
  tag: 'Scent orders',
  summary: 'Read how an order’s prices came about',
  description:
    'Every figure of the order in SAR as a step of arithmetic that can be done again by hand. The steps are those by which the ' +
    'order was priced, and stay the same for ever.',
  params: z.object({ id: uuid('The scent order’s id.') }),
  response: priceExplanation,
  errors: ['NOT_FOUND_SCENT_ORDER'],
  examples: { params: { id: exampleScentOrder.id }, response: examplePriceExplanation },
  async handle({ params, call, clients }) {
    const found = await clients.scentOrders.getScentOrder({ orderId: params.id }, call);
    const { orderGlobalId } = present(found.order, 'order');
    const response = await clients.priceExplanations.getPriceExplanation({ orderKey: orderGlobalId }, call);
    return presentExplanation(response.explanation);
  },
});
