import { presentCart } from './cart.presenter';
import { cart } from './cart.schema';
import { defineRoute } from '../route';
import { exampleCart } from './examples';
import { cartQuery } from './fields';

/** GET /api/v1/scent/cart */
export const getCart = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/cart',
  tag: 'Scent cart',
  summary: 'Read the cart',
  description: 'The Open cart at the prices of this moment; an empty one when there was none yet.',
  query: cartQuery,
  response: cart,
  errors: [],
  examples: { query: { customerRef: 'customer-17' }, response: exampleCart },
  async handle({ query, call, clients }) {
    return presentCart((await clients.carts.getCart(query, call)).cart);
  },
});
