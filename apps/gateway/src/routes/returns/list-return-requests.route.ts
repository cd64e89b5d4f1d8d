import { presentPage, presentReturnRequest } from '@reseller/presenters';
import { z } from 'zod';
import { pageOf } from '../../fields/response-fields';
import { pageQuery, uuid } from '../../fields/request-fields';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';
import { exampleReturnRequest, returnRequest } from './return-request.resource';

/** GET /api/v1/scent/orders/{id}/return-requests */
export const listReturnRequests = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/orders/{id}/return-requests',
  tag: 'Returns',
  summary: 'List an order’s return requests',
  description: 'Newest first, pending, approved and declined ones. A page past the end is empty.',
  params: z.object({ id: uuid('The scent order’s id.') }),
  query: z.object(pageQuery),
  response: pageOf(returnRequest),
  errors: ['NOT_FOUND_SCENT_ORDER'],
  examples: {
    params: { id: exampleReturnRequest.scentOrderId },
    query: { page: '1', pageSize: '20' },
    response: { items: [exampleReturnRequest], pagination: examplePagination },
  },
  async handle({ params, query, call, clients }) {
    const request = { scentOrderId: params.id, page: { page: query.page, pageSize: query.pageSize } };
    const list = await clients.returnRequests.listReturnRequests(request, call);
    return presentPage(list.returnRequests, list.page, presentReturnRequest);
  },
});
