import { z } from 'zod';
import { presentDiscountCheck } from './discount-check.presenter';
import { discountCheck } from '../scent-cart/cart.schema';
import { discountCode } from '../../fields/scent-fields';
import { defineRoute } from '../route';
import { cartQuery } from '../scent-cart/fields';
import { exampleDiscountCode } from './examples';

/** POST /api/v1/scent/cart/discount-code/check */
export const checkDiscountCode = defineRoute({
  method: 'POST',
  path: '/api/v1/scent/cart/discount-code/check',
  tag: 'Scent cart',
  summary: 'Try a discount code on the cart',
  description:
    'Whether the code applies to the cart as it is now, what it would take off, or the first reason against it. Nothing ' +
    'is held: the order decides.',
  query: cartQuery,
  body: z.strictObject({ code: discountCode('The code, in any letter case.') }),
  response: discountCheck,
  errors: [],
  examples: {
    query: { customerRef: 'customer-4711' },
    body: { code: 'summer-10' },
    response: {
      code: exampleDiscountCode.code,
      isApplicable: true,
      reason: null,
      discount: { code: exampleDiscountCode.code, discountType: 'Percent', value: 10, amount: 24.5 },
    },
  },
  effect: () => 'read',
  async handle({ query, body: { code }, call, clients }) {
    const request = { customerRef: query.customerRef, code };
    return presentDiscountCheck(await clients.discountCodes.checkDiscountCode(request, call));
  },
});
