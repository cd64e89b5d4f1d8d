import { presentCart } from './cart.presenter';
import { cart } from './cart.schema';
import { defineRoute } from '../route';
import { exampleEmptyCart } from './examples';
import { cartQuery } from './fields';

/** DELETE /api/v1/scent/cart */
export const clearCart = defineRoute({
  method: 'DELETE',
  path: '/api/v1/scent/cart',
  tag: 'Scent cart',
  summary: 'Clear the cart',
  description: 'Removes every line and returns the empty cart, which stays the same one.',
  query: cartQuery,
  response: cart,
  errors: ['CONFLICT_CART_HAS_PENDING_ORDER'],
  examples: { query: { customerRef: 'customer-17' }, response: exampleEmptyCart },
  async handle({ query, call, clients }) {
    return presentCart((await clients.carts.clearCart(query, call)).cart);
  },
});
