import { Environment, OrderStatus, type Order } from '@reseller/contracts';
import {
  ORDER_STATUSES,
  present,
  presentPage,
  presentProductOrder,
  presentScentOrder,
  statusFilter,
} from '@reseller/presenters';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import { presentMovement, presentOrderRow, presentStep } from '../presenters/order.presenter';
import { presentDeliveryEntry } from '../presenters/webhook-delivery.presenter';
import { recordChange } from '../record-change';
import { activation, environment, notes, pageOf, pageQuery, text, uuid } from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

const orderParams = z.object({ orderGlobalId: text(1, 128) });

const listQuery = z.object({
  ...pageQuery,
  status: z.enum(ORDER_STATUSES).optional(),
  partnerId: uuid.optional(),
  environment: environment.optional(),
});

/** Reading every partner's orders, and deciding those that need an operator. */
export function orderRoutes(deps: RouteDeps): OpsRoute[] {
  const { orders } = deps.clients;
  return [
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/orders',
      query: listQuery,
      async handle(input) {
        const { query } = input;
        const request = {
          page: pageOf(query),
          status: statusFilter(query.status),
          partnerId: query.partnerId,
          environment: query.environment ?? Environment.UNSPECIFIED,
        };
        const answer = await orders.listAllOrders(request, callOf(input));
        return presentPage(answer.orders, answer.page, presentOrderRow);
      },
    }),
    defineOpsRoute({
      method: 'GET',
      path: '/ops/v1/orders/{orderGlobalId}/timeline',
      params: orderParams,
      handle: (input) => readTimeline(deps, input.params.orderGlobalId, callOf(input)),
    }),
    defineOpsRoute({
      method: 'POST',
      path: '/ops/v1/orders/{orderGlobalId}/resolve',
      params: orderParams,
      body: z.strictObject({ outcome: z.enum(['Completed', 'Failed']), notes, ...activation }),
      handle: (input) => {
        const { outcome, notes: reason, ...given } = input.body;
        const { orderGlobalId } = input.params;
        const request = {
          orderGlobalId,
          outcome: OUTCOMES[outcome],
          notes: reason,
          esimIccid: given.esimIccid ?? undefined,
          esimQrCode: given.esimQrCode ?? undefined,
          esimActivationCode: given.esimActivationCode ?? undefined,
          esimPlanDetails: given.esimPlanDetails ?? undefined,
        };
        // The activation code is worth money until it is used: the audit names the eSIM, not its code.
        const change = {
          orderGlobalId,
          action: 'order.resolve',
          notes: reason,
          outcome,
          ...(given.esimIccid && { esimIccid: given.esimIccid }),
        };
        return decide(deps, change, callOf(input), (call) => orders.resolveOrder(request, call));
      },
    }),
    decisionRoute(deps, 'cancel'),
    decisionRoute(deps, 'reverse'),
  ];
}

const OUTCOMES = { Completed: OrderStatus.COMPLETED, Failed: OrderStatus.FAILED } as const;

function decisionRoute(deps: RouteDeps, kind: 'cancel' | 'reverse'): OpsRoute {
  const { orders } = deps.clients;
  return defineOpsRoute({
    method: 'POST',
    path: `/ops/v1/orders/{orderGlobalId}/${kind}`,
    params: orderParams,
    body: z.strictObject({ notes }),
    handle: (input) => {
      const request = { orderGlobalId: input.params.orderGlobalId, notes: input.body.notes };
      const change = { ...request, action: `order.${kind}` };
      return decide(deps, change, callOf(input), (call) =>
        kind === 'cancel' ? orders.cancelOrder(request, call) : orders.reverseOrder(request, call),
      );
    },
  });
}

interface Decision {
  orderGlobalId: string;
  action: string;
  notes: string;
  outcome?: string;
  esimIccid?: string;
}

/** Looks the order up for its partner, leaves the audit entry, and only then lets the order change. */
async function decide(
  { clients }: RouteDeps,
  { orderGlobalId, action, ...details }: Decision,
  call: CallContext,
  apply: (call: CallContext) => Promise<{ order?: Order | undefined }>,
) {
  const known = await clients.orders.getOrderTimeline({ orderGlobalId }, call);
  const { partnerId } = present(known.summary, 'summary');
  await recordChange(clients, { action, partnerId, subject: orderGlobalId, details }, call);
  return presentProductOrder((await apply(call)).order);
}

async function readTimeline({ clients }: RouteDeps, orderGlobalId: string, call: CallContext) {
  const [saga, money, webhooks] = await Promise.all([
    clients.orders.getOrderTimeline({ orderGlobalId }, call),
    clients.wallets.listTransactionsByReference({ referenceId: orderGlobalId }, call),
    clients.deliveries.listDeliveriesOfOrder({ orderGlobalId }, call),
  ]);
  // A stable sort: what a service recorded in the same millisecond stays in its order.
  const entries = [
    ...saga.entries.map(presentStep),
    ...money.transactions.map(presentMovement),
    ...webhooks.deliveries.map(presentDeliveryEntry),
  ].sort((a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt));
  const scentOrder = saga.scentOrder && presentScentOrder(saga.scentOrder);
  return {
    order: presentOrderRow(present(saga.summary, 'summary')),
    ...(scentOrder && { scentOrder }),
    entries,
  };
}
