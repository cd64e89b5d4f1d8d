import {
  presentPage,
  presentReturnRequest,
  presentScentOrder,
  present,
  RETURN_REQUEST_STATUSES,
  returnStatusFilter,
} from '@reseller/presenters';
import type { ReturnRequest } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import { recordChange } from '../record-change';
import { pageOf, pageQuery, text, uuid } from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

const params = z.object({ id: uuid });

/** Shipping, delivering and cancelling fulfillment groups, and deciding return requests (spec §7.3, §8.2). */
export function fulfillmentRoutes(deps: RouteDeps): OpsRoute[] {
  const { fulfillment } = deps.clients;
  return [
    groupRoute(deps, 'ship', 'shipFulfillmentGroup'),
    groupRoute(deps, 'deliver', 'deliverFulfillmentGroup'),
    groupRoute(deps, 'cancel', 'cancelFulfillmentGroup'),
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/return-requests',
      query: z.object({ ...pageQuery, status: z.enum(RETURN_REQUEST_STATUSES).optional() }),
      async handle(input) {
        const request = { page: pageOf(input.query), status: returnStatusFilter(input.query.status) };
        const list = await fulfillment.listAllReturnRequests(request, callOf(input));
        return presentPage(list.returnRequests, list.page, presentReturnRequest);
      },
    }),
    defineOpsRoute({
      method: 'POST',
      path: '/ops/v1/return-requests/{id}/approve',
      params,
      handle(input) {
        const request = { returnRequestId: input.params.id };
        const call = callOf(input);
        return decide(deps, { action: 'return-request.approve', ...request }, call, () =>
          fulfillment.approveReturnRequest(request, call),
        );
      },
    }),
    defineOpsRoute({
      method: 'POST',
      path: '/ops/v1/return-requests/{id}/decline',
      params,
      body: z.strictObject({ reason: text(1, 500) }),
      handle(input) {
        const request = { returnRequestId: input.params.id, reason: input.body.reason };
        const call = callOf(input);
        return decide(deps, { action: 'return-request.decline', ...request }, call, () =>
          fulfillment.declineReturnRequest(request, call),
        );
      },
    }),
  ];
}

function groupRoute(
  { clients }: RouteDeps,
  verb: 'ship' | 'deliver' | 'cancel',
  method: 'shipFulfillmentGroup' | 'deliverFulfillmentGroup' | 'cancelFulfillmentGroup',
): OpsRoute {
  return defineOpsRoute({
    method: 'POST',
    path: `/ops/v1/fulfillment-groups/{id}/${verb}`,
    params,
    async handle(input) {
      const request = { fulfillmentGroupId: input.params.id };
      const call = callOf(input);
      const known = present(
        (await clients.fulfillment.getOrderOfFulfillmentGroup(request, call)).order,
        'order',
      );
      const { partnerId, orderGlobalId: subject } = known;
      await recordChange(
        clients,
        { action: `fulfillment-group.${verb}`, partnerId, subject, details: request },
        call,
      );
      return presentScentOrder((await clients.fulfillment[method](request, call)).order);
    },
  });
}

interface ReturnDecision {
  action: 'return-request.approve' | 'return-request.decline';
  returnRequestId: string;
  reason?: string;
}

/** Looks the request up for its partner, leaves the audit entry, and only then lets it be decided. */
async function decide(
  { clients }: RouteDeps,
  { action, returnRequestId, reason }: ReturnDecision,
  call: CallContext,
  apply: () => Promise<{ returnRequest?: ReturnRequest | undefined }>,
) {
  const known = await clients.fulfillment.getReturnRequest({ returnRequestId }, call);
  const { partnerId, orderGlobalId } = present(known.returnRequest, 'return_request');
  const details = { orderGlobalId, ...(reason !== undefined && { reason }) };
  await recordChange(clients, { action, partnerId, subject: returnRequestId, details }, call);
  return presentReturnRequest((await apply()).returnRequest);
}
