import {
  OrderCancelled,
  OrderCompleted,
  OrderFailed,
  OrderProcessingStarted,
  OrderReversed,
  type OrderSnapshot,
  type ProductType,
} from '@reseller/contracts';
import { environmentOf } from '@reseller/rpc';
import type { Order, OrderChange, OrderStatus } from './domain/order';
import { toStatus } from './order.mapper';

/** An event as the outbox takes it. */
export interface OrderEvent {
  readonly topic: string;
  readonly type: string;
  readonly payload: Buffer;
}

/** Where all of this service's order events go, keyed by the order's id. */
export const ORDER_TOPIC = 'reseller.orders.order.v1';

interface EventMessage {
  encode(message: { order: OrderSnapshot | undefined }): { finish(): Uint8Array };
}

// What a change of status emits (spec §10.3); InterventionRequired emits nothing.
const EVENTS: Partial<Record<OrderStatus, readonly [name: string, message: EventMessage]>> = {
  Processing: ['OrderProcessingStarted', OrderProcessingStarted],
  Completed: ['OrderCompleted', OrderCompleted],
  Failed: ['OrderFailed', OrderFailed],
  Cancelled: ['OrderCancelled', OrderCancelled],
  Reversed: ['OrderReversed', OrderReversed],
};

/** The event of an order that now has this status, or undefined when the status has none. */
export function eventOf(
  productType: ProductType,
  order: Order,
  status: OrderStatus,
  change?: OrderChange,
): OrderEvent | undefined {
  const event = EVENTS[status];
  if (!event) return undefined;
  const [name, message] = event;
  const failureCode = change?.failureCode ?? order.failureCode ?? undefined;
  const snapshot = snapshotOf(productType, order, status, failureCode);
  const payload = Buffer.from(message.encode({ order: snapshot }).finish());
  return { topic: ORDER_TOPIC, type: `reseller.orders.v1.${name}`, payload };
}

/** What every event says of its order; `status` is the one it has after the change. */
export function snapshotOf(
  productType: ProductType,
  order: Order,
  status: OrderStatus,
  failureCode?: string,
): OrderSnapshot {
  return {
    orderId: order.id,
    orderGlobalId: order.globalId,
    partnerId: order.partnerId,
    environment: environmentOf(order.environment),
    productType,
    externalReference: order.externalReference,
    amount: order.amount,
    currency: order.currency,
    status: toStatus(status),
    failureCode,
    customerRef: order.customerRef ?? undefined,
  };
}
