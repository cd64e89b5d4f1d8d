import { OrderStatus } from '@reseller/contracts';
import { presentProductOrder } from '@reseller/presenters';
import { z } from 'zod';
import { noBody, text } from '../../fields/request-fields';
import { exampleTopupOrder } from '../../products/topup';
import { productOrder } from '../orders/order.resource';
import { defineRoute } from '../route';

const params = z.object({
  orderGlobalId: text('One of your orders, by its global id.', { min: 1, max: 128 }),
});
const exampleParams = { orderGlobalId: exampleTopupOrder.orderGlobalId };

const OUTCOMES = { Completed: OrderStatus.COMPLETED, Failed: OrderStatus.FAILED } as const;

/** POST /api/v1/sandbox/orders/{orderGlobalId}/resolve */
export const resolveOrder = defineRoute({
  method: 'POST',
  path: '/api/v1/sandbox/orders/{orderGlobalId}/resolve',
  tag: 'Sandbox',
  sandboxOnly: true,
  summary: 'Resolve an order that needs intervention',
  description:
    'Decides an order that is InterventionRequired, as our operators would: Completed charges it, or carries a scent ' +
    'order on; Failed frees its money.',
  params,
  body: z.strictObject({ outcome: z.enum(['Completed', 'Failed']).meta({ description: 'How it ends.' }) }),
  response: productOrder,
  errors: ['NOT_FOUND_ORDER', 'CONFLICT_ORDER_STATE'],
  examples: { params: exampleParams, body: { outcome: 'Completed' }, response: exampleTopupOrder },
  async handle({ params: { orderGlobalId }, body, call, clients }) {
    const request = { orderGlobalId, outcome: OUTCOMES[body.outcome] };
    return presentProductOrder((await clients.sandboxOrders.resolveSandboxOrder(request, call)).order);
  },
});

/** POST /api/v1/sandbox/orders/{orderGlobalId}/reverse */
export const reverseOrder = defineRoute({
  method: 'POST',
  path: '/api/v1/sandbox/orders/{orderGlobalId}/reverse',
  tag: 'Sandbox',
  sandboxOnly: true,
  summary: 'Reverse an order',
  description: 'Refunds a top-up or an eSIM that is Completed; it becomes Reversed. Never a scent order.',
  params,
  body: noBody,
  response: productOrder,
  errors: ['NOT_FOUND_ORDER', 'CONFLICT_ORDER_STATE'],
  examples: { params: exampleParams, body: {}, response: { ...exampleTopupOrder, status: 'Reversed' } },
  async handle({ params: { orderGlobalId }, call, clients }) {
    return presentProductOrder(
      (await clients.sandboxOrders.reverseSandboxOrder({ orderGlobalId }, call)).order,
    );
  },
});
