import { z } from 'zod';
import { presentPage } from '@reseller/presenters';
import { presentRegistration, backInStockRegistration, exampleRegistration } from './registration.resource';
import { pageOf } from '../../fields/response-fields';
import { pageQuery } from '../../fields/request-fields';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/scent/cart/back-in-stock */
export const listBackInStock = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/cart/back-in-stock',
  tag: 'Scent cart',
  summary: 'List back-in-stock registrations',
  description: 'Your registrations of every status and customer, newest first.',
  query: z.object(pageQuery),
  response: pageOf(backInStockRegistration),
  errors: [],
  examples: { response: { items: [exampleRegistration], pagination: examplePagination } },
  async handle({ query: { page, pageSize }, call, clients }) {
    const list = await clients.backInStock.listBackInStockRegistrations({ page: { page, pageSize } }, call);
    return presentPage(list.registrations, list.page, presentRegistration);
  },
});
