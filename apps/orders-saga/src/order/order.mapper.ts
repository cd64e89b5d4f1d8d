import { OrderStatus as StatusMessage, type OrderSummary, type ProductType } from '@reseller/contracts';
import { environmentOf } from '@reseller/rpc';
import { ORDER_STATUSES, type Order, type OrderStatus } from './domain/order';

const STATUS: Record<OrderStatus, StatusMessage> = {
  Pending: StatusMessage.PENDING,
  Processing: StatusMessage.PROCESSING,
  Completed: StatusMessage.COMPLETED,
  Failed: StatusMessage.FAILED,
  InterventionRequired: StatusMessage.INTERVENTION_REQUIRED,
  Cancelled: StatusMessage.CANCELLED,
  Reversed: StatusMessage.REVERSED,
  PartiallyDelivered: StatusMessage.PARTIALLY_DELIVERED,
  PartiallyReturned: StatusMessage.PARTIALLY_RETURNED,
  Returned: StatusMessage.RETURNED,
};

/** The status's name on the wire. */
export function toStatus(status: OrderStatus): StatusMessage {
  return STATUS[status];
}

/** The status's name in this service; undefined when unspecified. */
export function fromStatus(status: StatusMessage): OrderStatus | undefined {
  return ORDER_STATUSES.find((known) => STATUS[known] === status);
}

/** What orders of all products have in common; `productType` is the name of this one's product. */
export function toSummary(productType: ProductType, order: Order): OrderSummary {
  return {
    productType,
    orderId: order.id,
    orderGlobalId: order.globalId,
    externalReference: order.externalReference,
    status: toStatus(order.status),
    amount: order.amount,
    currency: order.currency,
    submittedAt: order.submittedAt,
    completedAt: order.completedAt ?? undefined,
    customerRef: order.customerRef ?? undefined,
    displayRate: order.displayRate ?? undefined,
    partnerId: order.partnerId,
    environment: environmentOf(order.environment),
    parked: [],
  };
}
