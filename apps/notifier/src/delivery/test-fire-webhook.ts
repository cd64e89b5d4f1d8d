import type { WebhookEventTypeName } from '@reseller/presenters';
import { currentHeaders } from '@reseller/telemetry';
import type { Pool } from 'pg';
import { v7 as newId } from 'uuid';
import { webhookBody } from '../event/domain/webhook-event';
import type { Scope } from '../scope';
import type { DeliveryRepository } from './delivery.repository';
import type { Delivery } from './domain/delivery';
import { exampleData } from './domain/example-event';
import type { OpenSecret } from './opened-secrets';
import { getSubscriptionTarget } from './subscription-target.repository';
import type { WebhookSender } from './webhook-sender';

/** What firing a test needs. */
export interface TestFireDeps {
  pool: Pool;
  deliveries: DeliveryRepository;
  sender: WebhookSender;
  openSecret: OpenSecret;
}

/**
 * Sends an example event once, the way real ones are sent, and returns the delivery after that attempt: paused or not,
 * subscribed or not, beside whatever is under way (spec §10.7).
 */
export async function testFireWebhook(
  { pool, deliveries, sender, openSecret }: TestFireDeps,
  scope: Scope,
  subscriptionId: string,
  eventType: WebhookEventTypeName,
): Promise<Delivery> {
  const { url, sealed } = await getSubscriptionTarget(pool, scope, subscriptionId);
  const deliveryId = newId();
  const eventId = newId();
  const occurredAt = new Date();
  const body = webhookBody({ eventId, eventType, occurredAt, data: exampleData(eventType, scope.partnerId) });
  const secret = openSecret(subscriptionId, sealed);
  const result = await sender.send({ url, secret, eventId, eventType, body, attemptNumber: 1, isTest: true });
  const event = {
    ...scope,
    eventId,
    eventType,
    occurredAt,
    orderGlobalId: null,
    body,
    headers: currentHeaders(),
  };
  const attempt = { ...result, attemptNumber: 1, attemptedAt: occurredAt };
  return deliveries.recordTest(deliveryId, event, subscriptionId, attempt);
}
