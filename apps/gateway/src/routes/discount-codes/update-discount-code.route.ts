import { z } from 'zod';
import { presentDiscountCode, toDiscountTerms } from './discount-code.presenter';
import { discountCode, discountCodeTerms } from './discount-code.schema';
import { uuid } from '../../fields/request-fields';
import { defineRoute } from '../route';
import { exampleDiscountCode, exampleDiscountTerms } from './examples';

/** PATCH /api/v1/scent/discount-codes/{id} */
export const updateDiscountCode = defineRoute({
  method: 'PATCH',
  path: '/api/v1/scent/discount-codes/{id}',
  tag: 'Discount codes',
  summary: 'Replace a discount code’s terms',
  description:
    'Replaces everything but the code itself: each field states its final value, and one that is left out becomes null. ' +
    'Redemptions stay counted.',
  params: z.object({ id: uuid('The code’s id.') }),
  body: discountCodeTerms,
  response: discountCode,
  errors: ['NOT_FOUND_DISCOUNT_CODE'],
  examples: {
    params: { id: exampleDiscountCode.id },
    body: { ...exampleDiscountTerms, isActive: false },
    response: { ...exampleDiscountCode, isActive: false, lastModifiedAt: '2026-07-01T10:00:00.000Z' },
  },
  async handle({ params: { id }, body, call, clients }) {
    const request = { id, terms: toDiscountTerms(body) };
    return presentDiscountCode((await clients.discountCodes.updateDiscountCode(request, call)).discountCode);
  },
});
