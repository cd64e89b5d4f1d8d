import { z } from 'zod';
import { SIMPLE_ORDER_STATUSES, presentEsimOrder, presentPage, statusFilter } from '@reseller/presenters';
import { pageOf } from '../../schemas/envelope';
import { pageQuery, submittedBetween } from '../../schemas/fields';
import { esimOrder } from '../../schemas/orders';
import { examplePagination, exampleEsimOrder } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/orders/esim */
export const listEsimOrders = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/esim',
  tag: 'eSIM orders',
  summary: 'List eSIM orders',
  description: 'Newest first by submission. A page past the end is empty.',
  query: z.object({
    ...pageQuery,
    status: z.enum(SIMPLE_ORDER_STATUSES).optional().meta({ description: 'Only orders of this status.' }),
    ...submittedBetween,
  }),
  response: pageOf(esimOrder),
  errors: [],
  examples: {
    query: { page: '1', pageSize: '20', status: 'Completed' },
    response: { items: [exampleEsimOrder], pagination: examplePagination },
  },
  async handle({ query: { page, pageSize, status, fromDate, toDate }, call, clients }) {
    const list = await clients.esimOrders.listEsimOrders(
      { page: { page, pageSize }, status: statusFilter(status), fromAt: fromDate, toAt: toDate },
      call,
    );
    return presentPage(list.orders, list.page, presentEsimOrder);
  },
});
