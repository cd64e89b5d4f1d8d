import { fulfilmentUpdated, returnRequestUpdated } from './fulfillment-events';
import { ORDER_EVENTS } from './order-events';
import { backInStock } from './variant-events';

/**
 * Every event that partners can subscribe to, in the specification's order: the one list from which the enums of requests and
 * OpenAPI, what notifier consumes and sends, test-fire's examples, the guide's section and the receiver library's types follow.
 */
export const WEBHOOK_EVENTS = [
  ...ORDER_EVENTS,
  fulfilmentUpdated,
  backInStock,
  returnRequestUpdated,
] as const;

/** The public name of an event; the only names that are stored and sent. */
export type WebhookEventTypeName = (typeof WEBHOOK_EVENTS)[number]['name'];

/** The public names, in the order of the list. */
export const WEBHOOK_EVENT_TYPES: readonly WebhookEventTypeName[] = WEBHOOK_EVENTS.map(({ name }) => name);
