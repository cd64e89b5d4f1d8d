import { Environment, OrderStatus } from '@reseller/contracts';
import type { ErrorDetails } from '@reseller/errors';
import {
  ORDER_STATUSES,
  present,
  presentPage,
  presentProductOrder,
  PRODUCT_TYPES,
  productFilter,
  statusFilter,
} from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import { auditApproval } from '../approvals';
import type { Clients } from '../clients';
import { recordRead } from '../record-change';
import {
  activation,
  environment,
  notes,
  pageOf,
  pageQuery,
  queryMoment,
  queryPhoneNumber,
  sortQuery,
  text,
  uuid,
} from './fields';
import { presentOrderRow, readTimeline } from './order-timeline';
import { readPartnerNames } from './partner-names';
import { csvOf } from './csv-export';
import { decidedOrder, freedCheckout, orderRow, ordersPage, timelineResponse } from './responses/orders';
import { defineRoute, type OpsRoute } from './route';

const params = z.object({ orderGlobalId: text(1, 128) });
const exampleParams = { orderGlobalId: 'TU-01K8QM071DFSARP6HZ9SEPRYWA' };
const exampleNotes = { notes: 'The vendor confirmed it by phone.' };

const listOrders = defineRoute({
  method: 'GET',
  path: '/ops/v1/orders',
  role: 'viewer',
  summary:
    'A page of orders of every partner, by exact filters that may be combined; with parked=true those of which something failed for good and waits for a person',
  query: z.object({
    ...pageQuery,
    status: z.enum(ORDER_STATUSES).optional(),
    partnerId: uuid.optional(),
    environment: environment.optional(),
    parked: z.enum(['true', 'false']).optional(),
    productType: z.enum(PRODUCT_TYPES).optional(),
    externalReference: text(1, 128).optional(),
    orderGlobalId: text(1, 128).optional(),
    phoneNumber: queryPhoneNumber.optional(),
    fromDate: queryMoment.optional(),
    toDate: queryMoment.optional(),
    ...sortQuery,
  }),
  response: ordersPage,
  async handle({ query, call, clients }) {
    const request = {
      page: pageOf(query),
      status: statusFilter(query.status),
      partnerId: query.partnerId,
      environment: query.environment ?? Environment.UNSPECIFIED,
      parked: query.parked === 'true',
      productType: productFilter(query.productType),
      externalReference: query.externalReference,
      orderGlobalId: query.orderGlobalId,
      phoneNumber: query.phoneNumber,
      fromAt: query.fromDate,
      toAt: query.toDate,
      oldestFirst: query.sort === 'oldest',
    };
    // What waits for a decision is shown as it is.
    const isDecidedFrom = request.parked || request.status === OrderStatus.INTERVENTION_REQUIRED;
    const ofList = isDecidedFrom ? { ...call, acceptsStale: false } : call;
    const { orders, page } = await clients.orders.listAllOrders(request, ofList);
    const names = await readPartnerNames(clients, orders, call);
    return presentPage(orders, page, (order) => presentOrderRow(order, names));
  },
});

const getTimeline = defineRoute({
  method: 'GET',
  path: '/ops/v1/orders/{orderGlobalId}/timeline',
  role: 'viewer',
  summary:
    'The order and its entries in order of time: saga steps, money movements and webhook deliveries; of a scent order also scentOrder with its groups',
  params,
  response: timelineResponse,
  examples: { params: exampleParams },
  async handle({ params: { orderGlobalId }, call, clients }) {
    const timeline = await readTimeline(clients, orderGlobalId, call);
    const { partnerId, orderGlobalId: subject } = timeline.order;
    await recordRead(clients, { action: 'order.read', partnerId, subject, details: {} }, call);
    return timeline;
  },
});

const OUTCOMES = { Completed: OrderStatus.COMPLETED, Failed: OrderStatus.FAILED } as const;

const resolveOrder = defineRoute({
  method: 'POST',
  path: '/ops/v1/orders/{orderGlobalId}/resolve',
  role: 'support',
  summary: 'Decide an order that needs an operator; activation data serve an eSIM whose vendor has none',
  params,
  body: z.strictObject({ outcome: z.enum(['Completed', 'Failed']), notes, ...activation }),
  response: decidedOrder,
  examples: { params: exampleParams, body: { outcome: 'Completed', ...exampleNotes } },
  audit: ({ params: { orderGlobalId }, body, call, clients }) =>
    // The activation code is worth money until it is used: the audit names the eSIM, not its code.
    orderChange(clients, call, 'order.resolve', orderGlobalId, {
      notes: body.notes,
      outcome: body.outcome,
      ...(body.esimIccid && { esimIccid: body.esimIccid }),
    }),
  async handle({ params: { orderGlobalId }, body, call, clients }) {
    const request = {
      orderGlobalId,
      outcome: OUTCOMES[body.outcome],
      notes: body.notes,
      esimIccid: body.esimIccid ?? undefined,
      esimQrCode: body.esimQrCode ?? undefined,
      esimActivationCode: body.esimActivationCode ?? undefined,
      esimPlanDetails: body.esimPlanDetails ?? undefined,
    };
    return presentProductOrder((await clients.orders.resolveOrder(request, call)).order);
  },
});

const decisionRoute = (
  kind: 'cancel' | 'reverse',
  rpc: 'cancelOrder' | 'reverseOrder',
  summary: string,
): OpsRoute =>
  defineRoute({
    method: 'POST',
    path: `/ops/v1/orders/{orderGlobalId}/${kind}`,
    role: 'support',
    summary,
    params,
    body: z.strictObject({ notes }),
    response: decidedOrder,
    examples: { params: exampleParams, body: exampleNotes },
    audit: ({ params: { orderGlobalId }, body, call, clients }) =>
      orderChange(clients, call, `order.${kind}`, orderGlobalId, body),
    async handle({ params: { orderGlobalId }, body, call, clients }) {
      const { order } = await auditApproval(
        clients,
        call,
        () => orderChange(clients, call, `order.${kind}`, orderGlobalId, body),
        () => clients.orders[rpc]({ orderGlobalId, ...body }, call),
      );
      return presentProductOrder(order);
    },
  });

const freeCheckout = defineRoute({
  method: 'POST',
  path: '/ops/v1/orders/{orderGlobalId}/free-checkout',
  role: 'support',
  summary:
    'Free the cart, the stock and the discount that a checkout holds for an order that does not exist, as checkouts-orders lists it',
  params,
  body: z.strictObject({ notes }),
  response: freedCheckout,
  examples: { params: exampleParams, body: { notes: 'Lost with the restore of 3 May, ticket 4711.' } },
  // There is no order, and so no partner to name.
  audit: ({ params: { orderGlobalId }, body }) =>
    Promise.resolve({ action: 'checkout.free', subject: orderGlobalId, details: body }),
  async handle({ params: { orderGlobalId }, call, clients }) {
    await clients.orders.freeCheckout({ orderGlobalId }, call);
    return { orderGlobalId };
  },
});

async function orderChange(
  { orders }: Clients,
  call: CallContext,
  action: string,
  orderGlobalId: string,
  details: ErrorDetails,
) {
  const { summary } = await orders.getOrderTimeline({ orderGlobalId }, call);
  const { partnerId } = present(summary, 'summary');
  return { action, partnerId, subject: orderGlobalId, details };
}

/** Reading every partner's orders, and deciding those that need an operator. */
export const orderRoutes: readonly OpsRoute[] = [
  listOrders,
  csvOf(listOrders, { row: orderRow, key: 'orderId' }),
  getTimeline,
  resolveOrder,
  decisionRoute(
    'cancel',
    'cancelOrder',
    'Cancel an order that is not paid, or the open groups of a paid scent order',
  ),
  decisionRoute('reverse', 'reverseOrder', 'Refund a Completed order'),
  freeCheckout,
];
