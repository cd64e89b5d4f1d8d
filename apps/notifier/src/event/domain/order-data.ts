import type { FulfillmentGroupChanged, OrderSnapshot, ReturnRequestChanged } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import {
  GROUP_STATUS_NAMES,
  presentEnum,
  presentMoment,
  presentReturnRequest,
  PRODUCT_NAMES,
  STATUS_NAMES,
  type WebhookEventTypeName,
} from '@reseller/presenters';
import { environmentOf, type PublicEvent } from './webhook-event';

/** What an event says about an order (specification, Events; status and customerRef are spec §10.3). */
export function orderEvent(eventType: WebhookEventTypeName, order: OrderSnapshot | undefined): PublicEvent {
  const snapshot = requireOrder(eventType, order);
  return about(snapshot, eventType, {
    orderGlobalId: snapshot.orderGlobalId,
    partnerId: snapshot.partnerId,
    productType: presentEnum(PRODUCT_NAMES, snapshot.productType),
    externalReference: snapshot.externalReference,
    amount: toJsonNumber(snapshot.amount),
    currency: snapshot.currency,
    failureCode: snapshot.failureCode ?? null,
    status: presentEnum(STATUS_NAMES, snapshot.status),
    customerRef: snapshot.customerRef ?? null,
  });
}

/** What an event says about a fulfillment group that changed its status (spec §10.3). */
export function fulfilmentEvent(group: FulfillmentGroupChanged): PublicEvent {
  const order = requireOrder('order.fulfilment-updated', group.order);
  return about(order, 'order.fulfilment-updated', {
    orderGlobalId: order.orderGlobalId,
    scentOrderId: order.orderId,
    partnerId: order.partnerId,
    externalReference: order.externalReference,
    fulfillmentGroupId: group.fulfillmentGroupId,
    status: presentEnum(GROUP_STATUS_NAMES, group.status),
    deliveredAt: presentMoment(group.deliveredAt),
    deliveryRollup: { totalGroups: group.totalGroups, deliveredGroups: group.deliveredGroups },
  });
}

/** What an event says about a return request that was made or decided (spec §10.3). */
export function returnRequestEvent({ order, returnRequest }: ReturnRequestChanged): PublicEvent {
  const request = presentReturnRequest(returnRequest);
  return about(requireOrder('order.return-request.updated', order), 'order.return-request.updated', {
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
  });
}

function about(
  { partnerId, environment, orderGlobalId }: OrderSnapshot,
  eventType: WebhookEventTypeName,
  data: PublicEvent['data'],
): PublicEvent {
  return { eventType, partnerId, environment: environmentOf(environment), orderGlobalId, data };
}

function requireOrder(eventType: WebhookEventTypeName, order: OrderSnapshot | undefined): OrderSnapshot {
  if (!order) throw new Error(`an event that becomes ${eventType} carries no order`);
  return order;
}
