import { z } from 'zod';
import {
  ORDER_STATUSES,
  presentOrderSummary,
  presentPage,
  productFilter,
  statusFilter,
} from '@reseller/presenters';
import { pageOf } from '../../fields/response-fields';
import { pageQuery, submittedBetween, text } from '../../fields/request-fields';
import { examplePagination } from '../examples';
import { showsOrders } from '../../certification/orders-shown';
import { defineRoute } from '../route';
import { exampleOrderSummary, orderSummary, productType as productName } from './order.resource';

/** GET /api/v1/orders */
export const listOrders = defineRoute({
  method: 'GET',
  path: '/api/v1/orders',
  tag: 'Orders',
  shows: showsOrders(),
  summary: 'List orders of every product',
  description: 'Newest first by submission, with the fields that all products share.',
  query: z.object({
    ...pageQuery,
    productType: productName.optional().meta({ description: 'Only orders of this product.' }),
    status: z.enum(ORDER_STATUSES).optional().meta({ description: 'Only orders of this status.' }),
    ...submittedBetween,
    externalReference: text('Only orders with this reference of yours.', { min: 1, max: 128 }).optional(),
  }),
  response: pageOf(orderSummary),
  errors: [],
  examples: {
    query: { productType: 'Topup' },
    response: { items: [exampleOrderSummary], pagination: examplePagination },
  },
  async handle({ query, call, clients }) {
    const { page, pageSize, productType, status, fromDate, toDate, externalReference: reference } = query;
    const list = await clients.orders.listOrders(
      {
        page: { page, pageSize },
        productType: productFilter(productType),
        status: statusFilter(status),
        fromAt: fromDate,
        toAt: toDate,
        externalReference: reference,
      },
      call,
    );
    return presentPage(list.orders, list.page, presentOrderSummary);
  },
});
