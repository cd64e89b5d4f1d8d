import {
  FulfillmentGroupChanged,
  OrderReturned,
  ProductType,
  ReturnRequestChanged,
} from '@reseller/contracts';
import type { Order, OrderStatus } from '../../../order/domain/order';
import { ORDER_TOPIC, snapshotOf, type OrderEvent } from '../../../order/order-events';
import type { ReturnRequest } from '../returns/domain/return-request';
import { toReturnRequest } from '../returns/return-request.mapper';
import type { FulfillmentGroup } from '../domain/scent-order';
import { toGroupStatus } from '../scent-order.mapper';

/** A group changed its status, and the order thereby has `status`; `groups` are all of the order as they stand now. */
export function groupEvent(
  order: Order,
  status: OrderStatus,
  groups: readonly FulfillmentGroup[],
  { id, status: groupStatus, deliveredAt }: FulfillmentGroup,
): OrderEvent {
  const message = FulfillmentGroupChanged.encode({
    order: snapshotOf(ProductType.SCENT, order, status),
    fulfillmentGroupId: id,
    status: toGroupStatus(groupStatus),
    deliveredAt: deliveredAt ?? undefined,
    totalGroups: groups.length,
    deliveredGroups: groups.filter((group) => group.status === 'Delivered').length,
  });
  return event('FulfillmentGroupChanged', message.finish());
}

/** An approved return; its amount is what was refunded (spec §10.3). */
export function returnedEvent(order: Order, status: OrderStatus, refundedAmount: string): OrderEvent {
  const snapshot = { ...snapshotOf(ProductType.SCENT, order, status), amount: refundedAmount };
  return event('OrderReturned', OrderReturned.encode({ order: snapshot }).finish());
}

/** A return request was made or decided, and the order thereby has `status`. */
export function returnRequestEvent(order: Order, status: OrderStatus, request: ReturnRequest): OrderEvent {
  const message = {
    order: snapshotOf(ProductType.SCENT, order, status),
    returnRequest: toReturnRequest(request),
  };
  return event('ReturnRequestChanged', ReturnRequestChanged.encode(message).finish());
}

function event(name: string, payload: Uint8Array): OrderEvent {
  return { topic: ORDER_TOPIC, type: `reseller.orders.v1.${name}`, payload: Buffer.from(payload) };
}
