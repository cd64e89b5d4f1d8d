import { z } from 'zod';
import { presentRegistration, backInStockRegistration, exampleRegistration } from './registration.resource';
import { customerRef, uuid } from '../../fields/request-fields';
import { defineRoute } from '../route';

const body = z.strictObject({
  variantId: uuid('The variant to wait for.'),
  customerRef: customerRef('Your customer, if it is for one; each waits separately.').nullish(),
});

/** POST /api/v1/scent/cart/back-in-stock */
export const registerBackInStock = defineRoute({
  method: 'POST',
  path: '/api/v1/scent/cart/back-in-stock',
  tag: 'Scent cart',
  idempotencyKey: true,
  summary: 'Ask to be notified when a variant is back in stock',
  description:
    'The next time the variant’s available quantity rises from 0, the registration becomes Notified and one ' +
    'variant.back-in-stock event is sent for it. Repeating an Active one returns it; one made while the variant is in ' +
    'stock waits for the time after.',
  body,
  response: backInStockRegistration,
  links: { cancelBackInStock: { id: 'id' } },
  errors: ['NOT_FOUND_VARIANT', 'BUSINESS_RESOURCE_LIMIT'],
  examples: {
    body: { variantId: exampleRegistration.variantId, customerRef: exampleRegistration.customerRef },
    response: exampleRegistration,
  },
  async handle({ body: { variantId, customerRef: customer }, call, clients }) {
    const request = { variantId, customerRef: customer ?? undefined };
    return presentRegistration((await clients.backInStock.registerBackInStock(request, call)).registration);
  },
});
