import {
  Environment,
  OrderCancelled,
  OrderCompleted,
  OrderFailed,
  OrderProcessingStarted,
  OrderReversed,
  VariantBackInStock,
  type OrderSnapshot,
} from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { presentEnum, PRODUCT_NAMES, STATUS_NAMES, type WebhookEventTypeName } from '@reseller/presenters';
import { webhookBody, type PublicEvent, type WebhookEvent } from './webhook-event';

/** Reads one kind of domain event; throws when its payload is not what its type says. */
type ToPublic = (payload: Uint8Array) => PublicEvent;

/** What of a domain event is needed to tell of it. */
export interface SourceEvent {
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly payload: Uint8Array;
}

/** The topics that hold something to tell partners of. */
export const SOURCE_TOPICS = ['reseller.orders.order.v1', 'reseller.scent.registration.v1'];

const order =
  (
    eventType: WebhookEventTypeName,
    message: { decode(bytes: Uint8Array): { order?: OrderSnapshot | undefined } },
  ): ToPublic =>
  (payload) =>
    orderEvent(eventType, message.decode(payload).order);

/**
 * What is told, by the domain event's type (decisions §10.3): the one place where public names meet domain events.
 * A type without a row is told to nobody. A source that comes later adds its row here, and its topic above:
 * an approved return (order.returned), a fulfillment group's status (order.fulfilment-updated), a return request
 * (order.return-request.updated).
 */
const PUBLIC_EVENTS: Readonly<Record<string, ToPublic>> = {
  // There is no order.processing event: an order that enters an in-progress status is folded into this one.
  'reseller.orders.v1.OrderProcessingStarted': order('order.completed', OrderProcessingStarted),
  'reseller.orders.v1.OrderCompleted': order('order.completed', OrderCompleted),
  'reseller.orders.v1.OrderFailed': order('order.failed', OrderFailed),
  'reseller.orders.v1.OrderCancelled': order('order.cancelled', OrderCancelled),
  'reseller.orders.v1.OrderReversed': order('order.cancelled', OrderReversed),
  'reseller.scent.v1.VariantBackInStock': (payload) => backInStock(VariantBackInStock.decode(payload)),
};

/** What partners are told of a domain event; undefined when that is nothing. Throws when it cannot be read. */
export function toWebhookEvent(event: SourceEvent): WebhookEvent | undefined {
  const { eventId, occurredAt } = event;
  const toPublic = Object.hasOwn(PUBLIC_EVENTS, event.type) ? PUBLIC_EVENTS[event.type] : undefined;
  if (!toPublic) return undefined;
  const { data, ...rest } = toPublic(event.payload);
  return { ...rest, eventId, occurredAt, body: webhookBody({ ...rest, eventId, occurredAt, data }) };
}

function orderEvent(eventType: WebhookEventTypeName, snapshot: OrderSnapshot | undefined): PublicEvent {
  if (!snapshot) throw new Error(`an event that becomes ${eventType} carries no order`);
  const { partnerId, orderGlobalId } = snapshot;
  const data = {
    orderGlobalId,
    partnerId,
    productType: presentEnum(PRODUCT_NAMES, snapshot.productType),
    externalReference: snapshot.externalReference,
    amount: toJsonNumber(snapshot.amount),
    currency: snapshot.currency,
    failureCode: snapshot.failureCode ?? null,
    status: presentEnum(STATUS_NAMES, snapshot.status),
    customerRef: snapshot.customerRef ?? null,
  };
  return { eventType, partnerId, environment: environmentOf(snapshot.environment), orderGlobalId, data };
}

const LIMITED_UP_TO = 5;
const SHOWN_UP_TO = 20;

function backInStock(variant: VariantBackInStock): PublicEvent {
  const { partnerId, availableQuantity: available } = variant;
  const data = {
    registrationId: variant.registrationId,
    variantId: variant.variantId,
    sku: variant.sku,
    partnerId,
    customerRef: variant.customerRef ?? null,
    // As the catalog shows them (decisions §5.4); a rise is never to nothing.
    availability: available <= LIMITED_UP_TO ? 'Limited' : 'Available',
    availableQuantity: available <= SHOWN_UP_TO ? available : null,
  };
  const environment = environmentOf(variant.environment);
  return { eventType: 'variant.back-in-stock', partnerId, environment, orderGlobalId: null, data };
}

function environmentOf(environment: Environment): PublicEvent['environment'] {
  if (environment === Environment.SANDBOX) return 'sandbox';
  if (environment === Environment.LIVE) return 'live';
  throw new Error('an event names no environment');
}
