import { z } from 'zod';
import { presentDiscountCode } from './discount-code.presenter';
import { discountCode } from './discount-code.schema';
import { uuid } from '../../fields/request-fields';
import { defineRoute } from '../route';
import { exampleDiscountCode } from './examples';

/** DELETE /api/v1/scent/discount-codes/{id} */
export const deleteDiscountCode = defineRoute({
  method: 'DELETE',
  path: '/api/v1/scent/discount-codes/{id}',
  tag: 'Discount codes',
  summary: 'Delete a discount code',
  description:
    'Deletes a code that was never redeemed and returns it as it was. One that was redeemed, even if that was given ' +
    'back, or that an order is redeeming just now, stays; set it inactive instead.',
  params: z.object({ id: uuid('The code’s id.') }),
  response: discountCode,
  errors: ['NOT_FOUND_DISCOUNT_CODE', 'CONFLICT_DISCOUNT_CODE_REDEEMED'],
  examples: {
    params: { id: exampleDiscountCode.id },
    response: { ...exampleDiscountCode, usageCount: 0 },
  },
  async handle({ params, call, clients }) {
    return presentDiscountCode((await clients.discountCodes.deleteDiscountCode(params, call)).discountCode);
  },
});
