import { presentScentOrder } from '@reseller/presenters';
import type { ScentOrder } from '@reseller/contracts';
import type { ErrorCode } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import { z } from 'zod';
import type { Clients } from '../../clients';
import { noBody, uuid } from '../../fields/request-fields';
import { exampleScentOrder, scentOrder } from '../../products/scent-order.resource';
import { defineRoute } from '../route';

/** One move of a fulfillment group as a route. */
interface GroupMove {
  readonly verb: 'ship' | 'deliver' | 'cancel';
  readonly summary: string;
  readonly description: string;
  readonly errors?: readonly ErrorCode[];
  make(
    clients: Clients,
    request: { fulfillmentGroupId: string },
    call: CallContext,
  ): Promise<{ order?: ScentOrder | undefined }>;
}

const moveGroup = ({ verb, summary, description, errors = [], make }: GroupMove) =>
  defineRoute({
    method: 'POST',
    path: `/api/v1/sandbox/fulfillment-groups/{id}/${verb}`,
    tag: 'Sandbox',
    sandboxOnly: true,
    summary,
    description,
    params: z.object({ id: uuid('A fulfillment group of one of your scent orders.') }),
    body: noBody,
    response: scentOrder,
    errors: ['NOT_FOUND_FULFILLMENT_GROUP', 'CONFLICT_FULFILLMENT_GROUP_STATUS', ...errors],
    examples: {
      params: { id: exampleScentOrder.fulfillmentGroups[0]?.id ?? '' },
      body: {},
      response: exampleScentOrder,
    },
    async handle({ params, call, clients }) {
      return presentScentOrder((await make(clients, { fulfillmentGroupId: params.id }, call)).order);
    },
  });

/** POST /api/v1/sandbox/fulfillment-groups/{id}/ship */
export const shipGroup = moveGroup({
  verb: 'ship',
  summary: 'Ship a fulfillment group',
  description:
    'The group goes from Pending to Shipped, as when our warehouse hands it over, with its webhook.',
  make: ({ sandboxOrders }, request, call) => sandboxOrders.shipSandboxGroup(request, call),
});

/** POST /api/v1/sandbox/fulfillment-groups/{id}/deliver */
export const deliverGroup = moveGroup({
  verb: 'deliver',
  summary: 'Deliver a fulfillment group',
  description: 'The group goes from Shipped to Delivered, and its time for returns begins.',
  make: ({ sandboxOrders }, request, call) => sandboxOrders.deliverSandboxGroup(request, call),
});

/** POST /api/v1/sandbox/fulfillment-groups/{id}/cancel */
export const cancelGroup = moveGroup({
  verb: 'cancel',
  summary: 'Cancel a fulfillment group',
  description:
    'A Pending or Shipped group becomes Cancelled: it is refunded, its commission is clawed back and its units are in ' +
    'stock again.',
  errors: ['BUSINESS_INSUFFICIENT_BALANCE'],
  make: ({ sandboxOrders }, request, call) => sandboxOrders.cancelSandboxGroup(request, call),
});
