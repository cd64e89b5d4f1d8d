import type { WebhookEventTypeName } from '@reseller/presenters';
import type { PartnerScope } from '@reseller/rpc';
import { currentHeaders } from '@reseller/telemetry';
import { v7 as newId } from 'uuid';
import { exampleData } from '../event/domain/public-events';
import { webhookBody } from '../event/domain/webhook-event';
import { getSubscriptionTarget } from '../subscription/get-subscription';
import type { OpenSecret } from '../subscription/remember-secrets';
import type { SubscriptionRepository } from '../subscription/subscription.repository';
import type { DeliveryRepository } from './delivery.repository';
import type { Delivery } from './domain/delivery';
import type { WebhookSender } from './webhook-sender';

/** What firing a test needs. */
export interface TestFireDeps {
  subscriptions: SubscriptionRepository;
  deliveries: DeliveryRepository;
  sender: WebhookSender;
  openSecret: OpenSecret;
}

/**
 * Sends an example event once, the way real ones are sent, and returns the delivery after that attempt: paused or not,
 * subscribed or not, beside whatever is under way (spec §10.7).
 */
export async function testFireWebhook(
  deps: TestFireDeps,
  scope: PartnerScope,
  subscriptionId: string,
  eventType: WebhookEventTypeName,
): Promise<Delivery> {
  const { url, sealed } = await getSubscriptionTarget(deps, scope, subscriptionId);
  const deliveryId = newId();
  const eventId = newId();
  const occurredAt = new Date();
  const body = webhookBody({ eventId, eventType, occurredAt, data: exampleData(eventType, scope.partnerId) });
  const secret = deps.openSecret(subscriptionId, sealed);
  const result = await deps.sender.send({
    url,
    secret,
    eventId,
    eventType,
    body,
    attemptNumber: 1,
    isTest: true,
  });
  const event = {
    partnerId: scope.partnerId,
    environment: scope.environment,
    eventId,
    eventType,
    occurredAt,
    orderGlobalId: null,
    body,
    headers: currentHeaders(),
  };
  const attempt = { ...result, attemptNumber: 1, attemptedAt: occurredAt };
  return deps.deliveries.recordTest(deliveryId, event, subscriptionId, attempt);
}
