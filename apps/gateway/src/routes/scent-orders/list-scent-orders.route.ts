import { ORDER_STATUSES, presentPage, presentScentOrder, statusFilter } from '@reseller/presenters';
import { z } from 'zod';
import { pageOf } from '../../schemas/envelope';
import { customerRef, pageQuery, submittedBetween } from '../../schemas/fields';
import { scentOrder } from '../../schemas/scent-orders';
import { examplePagination } from '../examples';
import { exampleScentOrder } from './examples';
import { defineRoute } from '../route';

/** GET /api/v1/orders/scent */
export const listScentOrders = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/scent',
  tag: 'Scent orders',
  summary: 'List scent orders',
  description: 'Newest first by submission. A page past the end is empty.',
  query: z.object({
    ...pageQuery,
    status: z.enum(ORDER_STATUSES).optional().meta({ description: 'Only orders of this status.' }),
    customerRef: customerRef('Only orders of this customer, compared exactly.').optional(),
    ...submittedBetween,
  }),
  response: pageOf(scentOrder),
  errors: [],
  examples: {
    query: { page: '1', pageSize: '20', status: 'Processing' },
    response: { items: [exampleScentOrder], pagination: examplePagination },
  },
  async handle({ query, call, clients }) {
    const { page, pageSize, status, fromDate, toDate } = query;
    const list = await clients.scentOrders.listScentOrders(
      {
        page: { page, pageSize },
        status: statusFilter(status),
        customerRef: query.customerRef,
        fromAt: fromDate,
        toAt: toDate,
      },
      call,
    );
    return presentPage(list.orders, list.page, presentScentOrder);
  },
});
