import { z } from 'zod';
import { presentPage } from '@reseller/presenters';
import { presentDiscountCode } from './discount-code.presenter';
import { discountCode } from './discount-code.schema';
import { pageOf } from '../../fields/response-fields';
import { pageQuery, queryBoolean } from '../../fields/request-fields';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';
import { exampleDiscountCode } from './examples';

/** GET /api/v1/scent/discount-codes */
export const listDiscountCodes = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/discount-codes',
  tag: 'Discount codes',
  summary: 'List your discount codes',
  description: 'The codes of the token’s environment, newest first.',
  query: z.object({
    ...pageQuery,
    isActive: queryBoolean('Only codes that are active, or only those that are not.').optional(),
  }),
  response: pageOf(discountCode),
  errors: [],
  examples: {
    query: { isActive: 'true' },
    response: { items: [exampleDiscountCode], pagination: examplePagination },
  },
  async handle({ query: { page, pageSize, isActive }, call, clients }) {
    const list = await clients.discountCodes.listDiscountCodes({ page: { page, pageSize }, isActive }, call);
    return presentPage(list.discountCodes, list.page, presentDiscountCode);
  },
});
