import { z } from 'zod';
import { presentDiscountCode } from './discount-code.presenter';
import { discountCode } from './discount-code.schema';
import { uuid } from '../../fields/request-fields';
import { defineRoute } from '../route';
import { exampleDiscountCode } from './examples';

/** GET /api/v1/scent/discount-codes/{id} */
export const getDiscountCode = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/discount-codes/{id}',
  tag: 'Discount codes',
  summary: 'Read a discount code',
  description: 'One of your codes with how often it was redeemed.',
  params: z.object({ id: uuid('The code’s id.') }),
  response: discountCode,
  errors: ['NOT_FOUND_DISCOUNT_CODE'],
  examples: { params: { id: exampleDiscountCode.id }, response: exampleDiscountCode },
  async handle({ params, call, clients }) {
    return presentDiscountCode((await clients.discountCodes.getDiscountCode(params, call)).discountCode);
  },
});
