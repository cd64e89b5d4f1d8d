import type { WebhookDelivery } from '@reseller/contracts';
import { presentWebhookDelivery } from '@reseller/presenters';
import { presentEnvironment } from './partner.presenter';

/** A delivery of any partner: what its partner reads, whose it is, and the order it tells of. */
export function presentDeliveryRow(delivery: WebhookDelivery) {
  return {
    ...presentWebhookDelivery(delivery),
    partnerId: delivery.partnerId,
    environment: presentEnvironment(delivery.environment),
    orderGlobalId: delivery.orderGlobalId ?? null,
  };
}

/** A delivery in an order's timeline, at the time it was made, with its attempts. */
export function presentDeliveryEntry(message: WebhookDelivery) {
  const delivery = presentWebhookDelivery(message);
  return {
    occurredAt: delivery.createdAt,
    type: 'WebhookDelivery' as const,
    step: `webhook.${delivery.eventType}`,
    outcome: delivery.status,
    details: delivery,
  };
}
