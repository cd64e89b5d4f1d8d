import type { WebhookDelivery } from '@reseller/contracts';
import { webhookDeliveryStatus, webhookErrorSummary, webhookEventType } from '@reseller/presenters';
import { environmentOf } from '@reseller/rpc';
import type { Delivery, DeliveryAttempt } from './domain/delivery';

/** A delivery as other services read it; its last attempt stands in its own fields too. */
export function toDeliveryMessage(delivery: Delivery): WebhookDelivery {
  const { environment, eventType, status, nextAttemptAt, attempts, orderGlobalId, ...same } = delivery;
  const last = attempts.at(-1);
  return {
    ...same,
    environment: environmentOf(environment),
    eventType: webhookEventType(eventType),
    status: webhookDeliveryStatus(status),
    attemptCount: attempts.length,
    lastAttemptAt: last?.attemptedAt,
    nextAttemptAt: nextAttemptAt ?? undefined,
    responseStatus: last?.responseStatus ?? undefined,
    durationMs: last?.durationMs,
    errorSummary: webhookErrorSummary(last?.errorSummary ?? null),
    attempts: attempts.map(toAttemptMessage),
    orderGlobalId: orderGlobalId ?? undefined,
  };
}

function toAttemptMessage(attempt: DeliveryAttempt): WebhookDelivery['attempts'][number] {
  const { attemptNumber, attemptedAt, responseStatus, durationMs, errorSummary } = attempt;
  return {
    attemptNumber,
    attemptedAt,
    responseStatus: responseStatus ?? undefined,
    durationMs,
    errorSummary: webhookErrorSummary(errorSummary),
  };
}
