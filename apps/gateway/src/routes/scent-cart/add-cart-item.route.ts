import { z } from 'zod';
import { presentCart } from './cart.presenter';
import { uuid } from '../../fields/request-fields';
import { cart } from './cart.schema';
import { defineRoute } from '../route';
import { exampleCart } from './examples';
import { cartQuery, units } from './fields';

/** POST /api/v1/scent/cart/items */
export const addCartItem = defineRoute({
  method: 'POST',
  path: '/api/v1/scent/cart/items',
  tag: 'Scent cart',
  idempotencyKey: true,
  summary: 'Add a variant to the cart',
  description:
    'Adds the units, to the variant’s line if it has one. Each request counts; with an Idempotency-Key it is ' +
    'safe to repeat. You may add more than is available; the line then says insufficientForQuantity. A line holds 999 units ' +
    'at most, a cart 100 lines.',
  query: cartQuery,
  body: z.strictObject({ variantId: uuid('What to add.'), quantity: units(1, 'How many units more.') }),
  response: cart,
  errors: ['NOT_FOUND_VARIANT', 'CONFLICT_CART_HAS_PENDING_ORDER'],
  examples: {
    query: { customerRef: 'customer-17' },
    body: { variantId: exampleCart.items[0]?.variantId ?? '', quantity: 2 },
    response: exampleCart,
  },
  async handle({ query, body, call, clients }) {
    return presentCart((await clients.carts.addCartItem({ ...query, ...body }, call)).cart);
  },
});
