import {
  Environment,
  FulfillmentGroupChanged,
  FulfillmentGroupStatus,
  ReturnReason,
  ReturnRequestChanged,
  ReturnRequestStatus,
  WebhookEventType,
} from '@reseller/contracts';
import { z } from 'zod';
import { presentReturnRequest, RETURN_REASONS, RETURN_REQUEST_STATUSES } from '../return-request';
import { GROUP_STATUS_NAMES, GROUP_STATUSES } from '../products/scent';
import { presentEnum, presentMoment } from '../values';
import { defineWebhookEvent, requireEnvironment } from './define-webhook-event';
import { EXAMPLE_AT, exampleId, exampleOrder } from './examples';
import { ORDER_TOPIC, requireOrder } from './order-events';

const fulfilmentData = z
  .strictObject({
    orderGlobalId: z.string(),
    scentOrderId: z.string(),
    partnerId: z.string(),
    externalReference: z.string(),
    fulfillmentGroupId: z.string(),
    status: z
      .enum(GROUP_STATUSES)
      .meta({ id: 'FulfillmentGroupStatus', description: 'Where a fulfillment group stands.' }),
    deliveredAt: z.string().nullable(),
    deliveryRollup: z.strictObject({ totalGroups: z.int(), deliveredGroups: z.int() }),
  })
  .meta({
    id: 'FulfilmentData',
    description: 'A fulfillment group that changed its status, and how far its order is.',
  });

/** A fulfillment group changed its status (spec §10.3). */
export const fulfilmentUpdated = defineWebhookEvent({
  name: 'order.fulfilment-updated',
  type: WebhookEventType.ORDER_FULFILMENT_UPDATED,
  topic: ORDER_TOPIC,
  sources: { 'reseller.orders.v1.FulfillmentGroupChanged': FulfillmentGroupChanged },
  schema: fulfilmentData,
  description:
    'A fulfillment group of a scent order changed its status to `Shipped`, `Delivered` or `Cancelled`; that it was made is no event. `deliveryRollup` counts the groups of the whole order.',
  present(group) {
    const order = requireOrder(group.order);
    const { partnerId, orderGlobalId, externalReference } = order;
    const data = {
      orderGlobalId,
      scentOrderId: order.orderId,
      partnerId,
      externalReference,
      fulfillmentGroupId: group.fulfillmentGroupId,
      status: presentEnum(GROUP_STATUS_NAMES, group.status),
      deliveredAt: presentMoment(group.deliveredAt),
      deliveryRollup: { totalGroups: group.totalGroups, deliveredGroups: group.deliveredGroups },
    };
    return { partnerId, environment: requireEnvironment(order.environment), orderGlobalId, data };
  },
  example: (partnerId) => ({
    order: exampleOrder(partnerId),
    fulfillmentGroupId: exampleId(2),
    status: FulfillmentGroupStatus.DELIVERED,
    deliveredAt: EXAMPLE_AT,
    totalGroups: 1,
    deliveredGroups: 1,
  }),
});

const returnRequestData = z
  .strictObject({
    returnRequestId: z.string(),
    scentOrderId: z.string(),
    orderGlobalId: z.string(),
    fulfillmentGroupId: z.string(),
    partnerId: z.string(),
    status: z
      .enum(RETURN_REQUEST_STATUSES)
      .meta({ id: 'ReturnRequestStatus', description: 'Where a return request stands.' }),
    requestedAt: z.string(),
    decidedAt: z.string().nullable(),
    declineReason: z.string().nullable(),
    lines: z.array(
      z.strictObject({
        id: z.string(),
        scentOrderLineId: z.string(),
        quantity: z.int(),
        reasonCode: z
          .enum(RETURN_REASONS)
          .meta({ id: 'ReturnReasonCode', description: 'Why units come back.' }),
      }),
    ),
  })
  .meta({ id: 'ReturnRequestData', description: 'A return request that was made or decided.' });

/** A return request was made or decided (spec §10.3). */
export const returnRequestUpdated = defineWebhookEvent({
  name: 'order.return-request.updated',
  type: WebhookEventType.ORDER_RETURN_REQUEST_UPDATED,
  topic: ORDER_TOPIC,
  sources: { 'reseller.orders.v1.ReturnRequestChanged': ReturnRequestChanged },
  schema: returnRequestData,
  description:
    'A return request was made (`Pending`), `Approved` or `Declined`. Money follows an approval as an order.returned of its own.',
  present(changed) {
    const { partnerId, environment, orderGlobalId } = requireOrder(changed.order);
    const request = presentReturnRequest(changed.returnRequest);
    const data = {
      returnRequestId: request.id,
      scentOrderId: request.scentOrderId,
      orderGlobalId: request.orderGlobalId,
      fulfillmentGroupId: request.fulfillmentGroupId,
      partnerId: request.partnerId,
      status: request.status,
      requestedAt: request.requestedAt,
      decidedAt: request.decidedAt,
      declineReason: request.declineReason,
      lines: request.lines,
    };
    return { partnerId, environment: requireEnvironment(environment), orderGlobalId, data };
  },
  example: (partnerId) => ({
    order: exampleOrder(partnerId),
    returnRequest: {
      returnRequestId: exampleId(3),
      scentOrderId: exampleId(1),
      orderGlobalId: 'SC-EXAMPLE',
      fulfillmentGroupId: exampleId(2),
      partnerId,
      status: ReturnRequestStatus.APPROVED,
      requestedAt: EXAMPLE_AT,
      decidedAt: EXAMPLE_AT,
      decidedByUserId: undefined,
      declineReason: undefined,
      lines: [
        { lineId: exampleId(4), scentOrderLineId: exampleId(5), quantity: 1, reason: ReturnReason.DAMAGED },
      ],
      environment: Environment.SANDBOX,
    },
  }),
});
