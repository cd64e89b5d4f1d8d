import { z } from 'zod';
import { presentCart } from './cart.presenter';
import { cart } from './cart.schema';
import { defineRoute } from '../route';
import { exampleCart } from './examples';
import { cartQuery, lineParams, units } from './fields';

/** PUT /api/v1/scent/cart/items/{id} */
export const setCartItem = defineRoute({
  method: 'PUT',
  path: '/api/v1/scent/cart/items/{id}',
  tag: 'Scent cart',
  summary: 'Set the quantity of a line',
  description: 'Sets the units of a line that is in the cart; 0 removes it.',
  params: lineParams,
  query: cartQuery,
  body: z.strictObject({ quantity: units(0, 'How many units in all; 0 removes the line.') }),
  response: cart,
  errors: ['NOT_FOUND_CART_ITEM', 'CONFLICT_CART_HAS_PENDING_ORDER'],
  examples: {
    params: { id: exampleCart.items[0]?.variantId ?? '' },
    query: { customerRef: 'customer-17' },
    body: { quantity: 2 },
    response: exampleCart,
  },
  async handle({ params, query, body, call, clients }) {
    const request = { ...query, ...body, variantId: params.id };
    return presentCart((await clients.carts.setCartItem(request, call)).cart);
  },
});
