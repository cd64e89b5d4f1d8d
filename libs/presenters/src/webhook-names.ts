import {
  WebhookDeliveryStatus,
  WebhookErrorSummary,
  WebhookEventType,
  WebhookLastDeliveryStatus,
} from '@reseller/contracts';
import { findByName } from './order-names';
import { WEBHOOK_EVENTS, type WebhookEventTypeName } from './webhook-events/webhook-events';

/** Where a delivery stands (spec §10.6). */
export const WEBHOOK_DELIVERY_STATUSES = ['Pending', 'Delivered', 'DeadLettered'] as const;

/** The public name of a delivery's status. */
export type WebhookDeliveryStatusName = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** Why an attempt failed (spec §10.6). */
export const WEBHOOK_ERROR_SUMMARIES = [
  'Timeout',
  'Connection failed',
  'Destination rejected',
  'Delivery failed',
] as const;

/** The public name of an error summary. */
type WebhookErrorSummaryName = (typeof WEBHOOK_ERROR_SUMMARIES)[number];

/** What the last attempt came to (spec §10.8). */
export const WEBHOOK_LAST_DELIVERY_STATUSES = ['Delivered', ...WEBHOOK_ERROR_SUMMARIES] as const;

/** The public name of what the last attempt came to. */
export type WebhookLastDeliveryStatusName = (typeof WEBHOOK_LAST_DELIVERY_STATUSES)[number];

/** Every event type under its public name. */
export const WEBHOOK_EVENT_TYPE_NAMES: Partial<Record<WebhookEventType, WebhookEventTypeName>> =
  Object.fromEntries(WEBHOOK_EVENTS.map(({ type, name }) => [type, name]));

/** Every delivery status under its public name. */
export const WEBHOOK_DELIVERY_STATUS_NAMES: Partial<
  Record<WebhookDeliveryStatus, WebhookDeliveryStatusName>
> = {
  [WebhookDeliveryStatus.PENDING]: 'Pending',
  [WebhookDeliveryStatus.DELIVERED]: 'Delivered',
  [WebhookDeliveryStatus.DEAD_LETTERED]: 'DeadLettered',
};

/** Every error summary under its public name; UNSPECIFIED has none. */
export const WEBHOOK_ERROR_SUMMARY_NAMES: Partial<Record<WebhookErrorSummary, WebhookErrorSummaryName>> = {
  [WebhookErrorSummary.TIMEOUT]: 'Timeout',
  [WebhookErrorSummary.CONNECTION_FAILED]: 'Connection failed',
  [WebhookErrorSummary.DESTINATION_REJECTED]: 'Destination rejected',
  [WebhookErrorSummary.DELIVERY_FAILED]: 'Delivery failed',
};

/** What a last attempt can come to, under its public name; UNSPECIFIED has none. */
export const WEBHOOK_LAST_DELIVERY_STATUS_NAMES: Partial<
  Record<WebhookLastDeliveryStatus, WebhookLastDeliveryStatusName>
> = {
  [WebhookLastDeliveryStatus.DELIVERED]: 'Delivered',
  [WebhookLastDeliveryStatus.TIMEOUT]: 'Timeout',
  [WebhookLastDeliveryStatus.CONNECTION_FAILED]: 'Connection failed',
  [WebhookLastDeliveryStatus.DESTINATION_REJECTED]: 'Destination rejected',
  [WebhookLastDeliveryStatus.DELIVERY_FAILED]: 'Delivery failed',
};

/** The enum value of an event type; UNSPECIFIED for none. */
export function webhookEventType(name: WebhookEventTypeName | undefined): WebhookEventType {
  return findByName(WEBHOOK_EVENT_TYPE_NAMES, name) ?? WebhookEventType.UNSPECIFIED;
}

/** The enum value of a delivery status; UNSPECIFIED, which filters nothing, for none. */
export function webhookDeliveryStatus(name: WebhookDeliveryStatusName | undefined): WebhookDeliveryStatus {
  return findByName(WEBHOOK_DELIVERY_STATUS_NAMES, name) ?? WebhookDeliveryStatus.UNSPECIFIED;
}

/** The enum value of an error summary; UNSPECIFIED for none. */
export function webhookErrorSummary(name: WebhookErrorSummaryName | null): WebhookErrorSummary {
  return findByName(WEBHOOK_ERROR_SUMMARY_NAMES, name ?? undefined) ?? WebhookErrorSummary.UNSPECIFIED;
}

/** The enum value of what the last attempt came to; UNSPECIFIED for none. */
export function webhookLastDeliveryStatus(
  name: WebhookLastDeliveryStatusName | null,
): WebhookLastDeliveryStatus {
  return (
    findByName(WEBHOOK_LAST_DELIVERY_STATUS_NAMES, name ?? undefined) ?? WebhookLastDeliveryStatus.UNSPECIFIED
  );
}
