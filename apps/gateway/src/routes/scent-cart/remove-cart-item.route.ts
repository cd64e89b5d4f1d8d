import { presentCart } from './cart.presenter';
import { cart } from './cart.schema';
import { defineRoute } from '../route';
import { exampleCart, exampleEmptyCart } from './examples';
import { cartQuery, lineParams } from './fields';

/** DELETE /api/v1/scent/cart/items/{id} */
export const removeCartItem = defineRoute({
  method: 'DELETE',
  path: '/api/v1/scent/cart/items/{id}',
  tag: 'Scent cart',
  summary: 'Remove a line from the cart',
  description: 'Takes the variant out of the cart, whatever its quantity.',
  params: lineParams,
  query: cartQuery,
  response: cart,
  errors: ['NOT_FOUND_CART_ITEM', 'CONFLICT_CART_HAS_PENDING_ORDER'],
  examples: {
    params: { id: exampleCart.items[0]?.variantId ?? '' },
    query: { customerRef: 'customer-17' },
    response: exampleEmptyCart,
  },
  async handle({ params, query, call, clients }) {
    const request = { ...query, variantId: params.id };
    return presentCart((await clients.carts.removeCartItem(request, call)).cart);
  },
});
