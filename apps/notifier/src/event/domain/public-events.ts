import {
  FulfillmentGroupChanged,
  OrderCancelled,
  OrderCompleted,
  OrderFailed,
  OrderProcessingStarted,
  OrderReturned,
  OrderReversed,
  ReturnRequestChanged,
  VariantBackInStock,
} from '@reseller/contracts';
import { fulfilmentEvent, orderEvent, returnRequestEvent } from './order-data';
import { backInStockEvent } from './variant-data';
import { webhookBody, type PublicEvent, type WebhookEvent } from './webhook-event';

/** Reads one kind of domain event; throws when its payload is not what its type says. */
type ToPublic = (payload: Uint8Array) => PublicEvent;

/** What of a domain event is needed to tell of it. */
export interface SourceEvent {
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly payload: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** The topics that hold something to tell partners of. */
export const SOURCE_TOPICS = ['reseller.orders.order.v1', 'reseller.scent.registration.v1'];

/**
 * What is told, by the domain event's type (spec §10.3): the one place where public names meet domain events.
 * A type without a row is told to nobody; a new source adds its row here, and its topic above.
 */
const PUBLIC_EVENTS: Readonly<Record<string, ToPublic>> = {
  // There is no order.processing event: an order that enters an in-progress status is folded into this one.
  'reseller.orders.v1.OrderProcessingStarted': (payload) =>
    orderEvent('order.completed', OrderProcessingStarted.decode(payload).order),
  'reseller.orders.v1.OrderCompleted': (payload) =>
    orderEvent('order.completed', OrderCompleted.decode(payload).order),
  'reseller.orders.v1.OrderFailed': (payload) =>
    orderEvent('order.failed', OrderFailed.decode(payload).order),
  'reseller.orders.v1.OrderCancelled': (payload) =>
    orderEvent('order.cancelled', OrderCancelled.decode(payload).order),
  'reseller.orders.v1.OrderReversed': (payload) =>
    orderEvent('order.cancelled', OrderReversed.decode(payload).order),
  'reseller.orders.v1.OrderReturned': (payload) =>
    orderEvent('order.returned', OrderReturned.decode(payload).order),
  'reseller.orders.v1.FulfillmentGroupChanged': (payload) =>
    fulfilmentEvent(FulfillmentGroupChanged.decode(payload)),
  'reseller.orders.v1.ReturnRequestChanged': (payload) =>
    returnRequestEvent(ReturnRequestChanged.decode(payload)),
  'reseller.scent.v1.VariantBackInStock': (payload) => backInStockEvent(VariantBackInStock.decode(payload)),
};

/** What partners are told of a domain event; undefined when that is nothing. Throws when it cannot be read. */
export function toWebhookEvent(event: SourceEvent): WebhookEvent | undefined {
  const { eventId, occurredAt, headers } = event;
  const toPublic = Object.hasOwn(PUBLIC_EVENTS, event.type) ? PUBLIC_EVENTS[event.type] : undefined;
  if (!toPublic) return undefined;
  const { data, ...rest } = toPublic(event.payload);
  return { ...rest, eventId, occurredAt, headers, body: webhookBody({ ...rest, eventId, occurredAt, data }) };
}
