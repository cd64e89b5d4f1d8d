import type { WebhookSubscription } from '@reseller/contracts';
import {
  webhookEventType,
  webhookLastDeliveryStatus,
  type WebhookLastDeliveryStatusName,
} from '@reseller/presenters';
import { environmentOf } from '@reseller/rpc';
import type { Subscription } from './domain/subscription';

/** A subscription as other services read it; never with its secret. */
export function toSubscriptionMessage(subscription: Subscription): WebhookSubscription {
  const { environment, eventTypes, lastDeliveryAt, lastDeliveryStatus, ...same } = subscription;
  return {
    ...same,
    environment: environmentOf(environment),
    eventTypes: eventTypes.map(webhookEventType),
    lastDeliveryAt: lastDeliveryAt ?? undefined,
    lastDeliveryStatus: webhookLastDeliveryStatus(lastDeliveryStatus as WebhookLastDeliveryStatusName | null),
  };
}
