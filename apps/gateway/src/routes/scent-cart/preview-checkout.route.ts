import { presentPreview } from './cart.presenter';
import { queryBoolean, text } from '../../fields/request-fields';
import { checkoutPreview } from './cart.schema';
import { defineRoute } from '../route';
import { explain } from '../price-explanations/price-explanation.resource';
import { exampleCheckoutPreview } from './examples';
import { cartQuery } from './fields';

/** GET /api/v1/scent/cart/checkout-preview */
export const previewCheckout = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/cart/checkout-preview',
  tag: 'Scent cart',
  summary: 'Preview a checkout, and lock its prices',
  description:
    'The cart as an order would be charged now, less a discount code. With lock=true the prices and the discount hold ' +
    'for 15 minutes for one order that names the lockId; any change of the cart ends the lock for good.',
  query: cartQuery.extend({
    lock: queryBoolean('Whether to lock these prices.').optional(),
    discountCode: text('A discount code to take off, in any letter case.', { min: 1, max: 128 }).optional(),
    explain,
  }),
  response: checkoutPreview,
  errors: ['BUSINESS_CART_EMPTY', 'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE'],
  examples: {
    query: { customerRef: 'customer-17', lock: 'true' },
    response: exampleCheckoutPreview,
  },
  effect: ({ query }) => (query.lock ? 'change' : 'read'),
  async handle({ query: { lock = false, ...query }, call, clients }) {
    return presentPreview(await clients.carts.previewCheckout({ ...query, lock }, call));
  },
});
