import { AppError } from '@reseller/errors';
import type { WebhookEventTypeName } from '@reseller/presenters';
import type { PartnerScope } from '@reseller/rpc';
import { currentHeaders } from '@reseller/telemetry';
import { v7 as newId } from 'uuid';
import { exampleData } from '../event/domain/public-events';
import { webhookBody, type WebhookEvent } from '../event/domain/webhook-event';
import { getSubscriptionTarget } from '../subscription/get-subscription';
import type { OpenSecret } from '../subscription/remember-secrets';
import type { SubscriptionRepository } from '../subscription/subscription.repository';
import type { DeliveryRepository } from './delivery.repository';
import type { DeliveryAttempt } from './domain/delivery';
import type { WebhookSender } from './webhook-sender';

/** What firing a test needs. */
export interface TestFireDeps {
  subscriptions: SubscriptionRepository;
  deliveries: DeliveryRepository;
  sender: WebhookSender;
  openSecret: OpenSecret;
}

/** What every attempt of one test has in common, as JSON. */
interface PlannedTest {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly occurredAt: string;
}

/** What came of a test: what was sent, and how it ended. */
interface SentTest {
  readonly event: WebhookEvent;
  readonly attempt: DeliveryAttempt;
}

/** Plans a test. */
export const planTest = (): PlannedTest => ({
  deliveryId: newId(),
  eventId: newId(),
  occurredAt: new Date().toISOString(),
});

/**
 * Sends an example event once, the way real ones are sent, and returns what came of it: paused or not, subscribed or not, beside
 * whatever is under way (spec §10.7). Recorded by recordTest. SERVICE_UNAVAILABLE when this process could not send it.
 */
export async function sendTest(
  deps: Omit<TestFireDeps, 'deliveries'>,
  scope: PartnerScope,
  { subscriptionId, eventType }: { subscriptionId: string; eventType: WebhookEventTypeName },
  { eventId, occurredAt: at }: PlannedTest,
): Promise<SentTest> {
  const { url, sealed } = await getSubscriptionTarget(deps, scope, subscriptionId);
  const occurredAt = new Date(at);
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
  if (result.isOwnFault) throw new AppError('SERVICE_UNAVAILABLE');
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
  return { event, attempt };
}
