import { z } from 'zod';
import { SIMPLE_ORDER_STATUSES, presentPage, presentTopupOrder, statusFilter } from '@reseller/presenters';
import { pageOf } from '../../schemas/envelope';
import { pageQuery, submittedBetween } from '../../schemas/fields';
import { topupOrder } from '../../schemas/orders';
import { examplePagination, exampleTopupOrder } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/orders/topup */
export const listTopupOrders = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/topup',
  tag: 'Top-up orders',
  summary: 'List top-up orders',
  description: 'Newest first by submission. A page past the end is empty.',
  query: z.object({
    ...pageQuery,
    status: z.enum(SIMPLE_ORDER_STATUSES).optional().meta({ description: 'Only orders of this status.' }),
    ...submittedBetween,
  }),
  response: pageOf(topupOrder),
  errors: [],
  examples: {
    query: { page: '1', pageSize: '20', status: 'Completed' },
    response: { items: [exampleTopupOrder], pagination: examplePagination },
  },
  async handle({ query: { page, pageSize, status, fromDate, toDate }, call, clients }) {
    const list = await clients.topupOrders.listTopupOrders(
      { page: { page, pageSize }, status: statusFilter(status), fromAt: fromDate, toAt: toDate },
      call,
    );
    return presentPage(list.orders, list.page, presentTopupOrder);
  },
});
