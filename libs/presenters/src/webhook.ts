import {
  WebhookErrorSummary,
  WebhookLastDeliveryStatus,
  type WebhookDelivery,
  type WebhookDeliveryAttempt,
  type WebhookSubscription,
} from '@reseller/contracts';
import { present, presentEnum, presentMoment, presentRequiredMoment } from './values';
import {
  WEBHOOK_DELIVERY_STATUS_NAMES,
  WEBHOOK_ERROR_SUMMARY_NAMES,
  WEBHOOK_EVENT_TYPE_NAMES,
  WEBHOOK_LAST_DELIVERY_STATUS_NAMES,
} from './webhook-names';

/** A subscription as partners read it; never with its secret. */
export function presentWebhook(message: WebhookSubscription | undefined) {
  const webhook = present(message, 'subscription');
  const last = webhook.lastDeliveryStatus;
  return {
    id: webhook.id,
    partnerId: webhook.partnerId,
    url: webhook.url,
    eventTypes: webhook.eventTypes.map((type) => presentEnum(WEBHOOK_EVENT_TYPE_NAMES, type)),
    isActive: webhook.isActive,
    lastDeliveryAt: presentMoment(webhook.lastDeliveryAt),
    lastDeliveryStatus:
      last === WebhookLastDeliveryStatus.UNSPECIFIED
        ? null
        : presentEnum(WEBHOOK_LAST_DELIVERY_STATUS_NAMES, last),
    createdAt: presentRequiredMoment(webhook.createdAt, 'created_at'),
  };
}

/** A delivery with its attempts as partners read it (spec §10.6). */
export function presentWebhookDelivery(message: WebhookDelivery | undefined) {
  const delivery = present(message, 'delivery');
  return {
    id: delivery.id,
    subscriptionId: delivery.subscriptionId,
    eventId: delivery.eventId,
    eventType: presentEnum(WEBHOOK_EVENT_TYPE_NAMES, delivery.eventType),
    status: presentEnum(WEBHOOK_DELIVERY_STATUS_NAMES, delivery.status),
    attemptCount: delivery.attemptCount,
    lastAttemptAt: presentMoment(delivery.lastAttemptAt),
    nextAttemptAt: presentMoment(delivery.nextAttemptAt),
    responseStatus: delivery.responseStatus ?? null,
    durationMs: delivery.durationMs ?? null,
    errorSummary: presentErrorSummary(delivery.errorSummary),
    isTest: delivery.isTest,
    createdAt: presentRequiredMoment(delivery.createdAt, 'created_at'),
    attempts: delivery.attempts.map(presentAttempt),
  };
}

function presentAttempt(attempt: WebhookDeliveryAttempt) {
  return {
    attemptNumber: attempt.attemptNumber,
    attemptedAt: presentRequiredMoment(attempt.attemptedAt, 'attempted_at'),
    responseStatus: attempt.responseStatus ?? null,
    durationMs: attempt.durationMs,
    errorSummary: presentErrorSummary(attempt.errorSummary),
  };
}

function presentErrorSummary(summary: WebhookErrorSummary) {
  return summary === WebhookErrorSummary.UNSPECIFIED
    ? null
    : presentEnum(WEBHOOK_ERROR_SUMMARY_NAMES, summary);
}
