import { presentDiscountCode, toDiscountTerms } from './discount-code.presenter';
import { discountCode, newDiscountCode } from './discount-code.schema';
import { defineRoute } from '../route';
import { exampleDiscountCode, exampleDiscountTerms } from './examples';

/** POST /api/v1/scent/discount-codes */
export const createDiscountCode = defineRoute({
  method: 'POST',
  path: '/api/v1/scent/discount-codes',
  tag: 'Discount codes',
  idempotencyKey: true,
  summary: 'Make a discount code',
  description:
    'A code for your customers’ scent orders in the token’s environment. The discount is taken off the goods before ' +
    'VAT and commission.',
  body: newDiscountCode,
  response: discountCode,
  links: {
    getDiscountCode: { id: 'id' },
    updateDiscountCode: { id: 'id' },
    deleteDiscountCode: { id: 'id' },
  },
  errors: ['CONFLICT_DISCOUNT_CODE_EXISTS', 'BUSINESS_RESOURCE_LIMIT'],
  examples: {
    body: { code: 'summer-10', ...exampleDiscountTerms },
    response: { ...exampleDiscountCode, usageCount: 0 },
  },
  async handle({ body, call, clients }) {
    const request = { code: body.code, terms: toDiscountTerms(body) };
    return presentDiscountCode((await clients.discountCodes.createDiscountCode(request, call)).discountCode);
  },
});
