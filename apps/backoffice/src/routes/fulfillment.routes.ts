import { Environment, FulfillmentGroupStatus, type OpenFulfillmentGroup } from '@reseller/contracts';
import {
  findByName,
  present,
  presentEnum,
  presentMoment,
  presentPage,
  presentRequiredMoment,
  presentReturnRequest,
  presentScentOrder,
  RETURN_REQUEST_STATUSES,
  returnStatusFilter,
} from '@reseller/presenters';
import { environmentNameOf, type CallContext } from '@reseller/rpc';
import { z } from 'zod';
import type { Clients } from '../clients';
import { csvOf } from './csv-export';
import { environment, EXAMPLE_ID, pageOf, pageQuery, sortQuery, text, uuid } from './fields';
import { OPEN_GROUP_STATUSES, openGroupResponse, openGroupsPage } from './responses/open-groups';
import { scentOrder } from './responses/orders';
import { returnRequestResponse, returnRequestsPage } from './responses/return-requests';
import { defineRoute, type OpsRoute } from './route';

const params = z.object({ id: uuid });
const examples = { params: { id: EXAMPLE_ID } };

const groupRoute = (
  verb: 'ship' | 'deliver' | 'cancel',
  rpc: 'shipFulfillmentGroup' | 'deliverFulfillmentGroup' | 'cancelFulfillmentGroup',
  summary: string,
): OpsRoute =>
  defineRoute({
    method: 'POST',
    path: `/ops/v1/fulfillment-groups/{id}/${verb}`,
    role: 'support',
    summary,
    params,
    response: scentOrder,
    examples,
    async audit({ params: { id }, call, clients }) {
      const details = { fulfillmentGroupId: id };
      const { order } = await clients.fulfillment.getOrderOfFulfillmentGroup(details, call);
      const { partnerId, orderGlobalId: subject } = present(order, 'order');
      return { action: `fulfillment-group.${verb}`, partnerId, subject, details };
    },
    async handle({ params: { id }, call, clients }) {
      return presentScentOrder((await clients.fulfillment[rpc]({ fulfillmentGroupId: id }, call)).order);
    },
  });

const OPEN_STATUS_NAMES: Partial<Record<FulfillmentGroupStatus, (typeof OPEN_GROUP_STATUSES)[number]>> = {
  [FulfillmentGroupStatus.PENDING]: 'Pending',
  [FulfillmentGroupStatus.SHIPPED]: 'Shipped',
};

const listOpenGroups = defineRoute({
  method: 'GET',
  path: '/ops/v1/fulfillment-groups',
  role: 'viewer',
  summary: 'A page of the groups of paid orders that are to be shipped or delivered, oldest first',
  query: z.object({
    ...pageQuery,
    status: z.enum(OPEN_GROUP_STATUSES).optional(),
    environment: environment.optional(),
  }),
  response: openGroupsPage,
  async handle({ query, call, clients }) {
    const request = {
      page: pageOf(query),
      status: findByName(OPEN_STATUS_NAMES, query.status) ?? FulfillmentGroupStatus.UNSPECIFIED,
      environment: query.environment ?? Environment.UNSPECIFIED,
    };
    const { fulfillmentGroups, page } = await clients.fulfillment.listOpenFulfillmentGroups(request, call);
    return presentPage(fulfillmentGroups, page, presentOpenGroup);
  },
});

const listReturnRequests = defineRoute({
  method: 'GET',
  path: '/ops/v1/return-requests',
  role: 'viewer',
  summary: 'A page of return requests of every partner',
  query: z.object({ ...pageQuery, status: z.enum(RETURN_REQUEST_STATUSES).optional(), ...sortQuery }),
  response: returnRequestsPage,
  async handle({ query, call, clients }) {
    const request = {
      page: pageOf(query),
      status: returnStatusFilter(query.status),
      oldestFirst: query.sort === 'oldest',
    };
    const { returnRequests, page } = await clients.fulfillment.listAllReturnRequests(request, call);
    return presentPage(returnRequests, page, presentReturnRequest);
  },
});

const approveReturnRequest = defineRoute({
  method: 'POST',
  path: '/ops/v1/return-requests/{id}/approve',
  role: 'support',
  summary: 'Approve a return: refund its units and claw their commission back',
  params,
  response: returnRequestResponse,
  examples,
  audit: ({ params: { id }, call, clients }) => returnChange(clients, call, id, 'return-request.approve'),
  async handle({ params: { id }, call, clients }) {
    const { returnRequest } = await clients.fulfillment.approveReturnRequest({ returnRequestId: id }, call);
    return presentReturnRequest(returnRequest);
  },
});

const declineReturnRequest = defineRoute({
  method: 'POST',
  path: '/ops/v1/return-requests/{id}/decline',
  role: 'support',
  summary: 'Decline a return; the partner reads the reason',
  params,
  body: z.strictObject({ reason: text(1, 500) }),
  response: returnRequestResponse,
  examples: { ...examples, body: { reason: 'The bottle was opened.' } },
  audit: ({ params: { id }, body, call, clients }) =>
    returnChange(clients, call, id, 'return-request.decline', body),
  async handle({ params: { id }, body: { reason }, call, clients }) {
    const request = { returnRequestId: id, reason };
    return presentReturnRequest(
      (await clients.fulfillment.declineReturnRequest(request, call)).returnRequest,
    );
  },
});

function presentOpenGroup(group: OpenFulfillmentGroup) {
  return {
    id: group.fulfillmentGroupId,
    status: presentEnum(OPEN_STATUS_NAMES, group.status),
    orderGlobalId: group.orderGlobalId,
    partnerId: group.partnerId,
    environment: present(environmentNameOf(group.environment), 'environment'),
    source: group.source,
    submittedAt: presentRequiredMoment(group.submittedAt, 'submitted_at'),
    shippedAt: presentMoment(group.shippedAt),
    lines: group.lines,
  };
}

async function returnChange(
  { fulfillment }: Clients,
  call: CallContext,
  id: string,
  action: string,
  decision: { reason?: string } = {},
) {
  const { returnRequest } = await fulfillment.getReturnRequest({ returnRequestId: id }, call);
  const { partnerId, orderGlobalId } = present(returnRequest, 'return_request');
  return { action, partnerId, subject: id, details: { orderGlobalId, ...decision } };
}

/** Shipping, delivering and cancelling fulfillment groups, and deciding return requests (spec §7.3, §8.2). */
export const fulfillmentRoutes: readonly OpsRoute[] = [
  groupRoute('ship', 'shipFulfillmentGroup', 'Mark a Pending group as Shipped'),
  groupRoute('deliver', 'deliverFulfillmentGroup', 'Mark a Shipped group as Delivered'),
  groupRoute('cancel', 'cancelFulfillmentGroup', 'Refund and restock a group that is not delivered'),
  listOpenGroups,
  csvOf(listOpenGroups, { row: openGroupResponse, key: 'id' }),
  listReturnRequests,
  csvOf(listReturnRequests, { row: returnRequestResponse, key: 'id' }),
  approveReturnRequest,
  declineReturnRequest,
];
