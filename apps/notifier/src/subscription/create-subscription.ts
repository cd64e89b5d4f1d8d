import type { WebhookEventTypeName } from '@reseller/presenters';
import type { PartnerScope } from '@reseller/rpc';
import type { SecretSeal } from '@reseller/service-kit';
import { v7 as uuidv7 } from 'uuid';
import type { TargetPolicy } from '../address/check-target';
import { requireEventTypes, type Subscription } from './domain/subscription';
import { requireAllowedUrl } from './require-allowed-url';
import { newSecret } from './signing-secret';
import type { SubscriptionRepository } from './subscription.repository';

/** What the use cases of subscriptions need. */
export interface SubscriptionDeps {
  subscriptions: SubscriptionRepository;
  seal: SecretSeal;
  targets: TargetPolicy;
}

/** A subscription with the secret that is shown once. */
export interface WithSecret {
  subscription: Subscription;
  secret: string;
}

/** What a new subscription is to be. */
interface NewSubscription {
  readonly url: string;
  readonly eventTypes: readonly (WebhookEventTypeName | undefined)[];
}

/**
 * Looks where a new subscription would lead, which takes time and so comes before any transaction. VALIDATION_FAILED for its
 * event types goes before VALIDATION_WEBHOOK_URL_REJECTED (spec §10.2).
 */
export async function checkSubscription(
  { targets }: Pick<SubscriptionDeps, 'targets'>,
  { url, eventTypes }: NewSubscription,
): Promise<void> {
  requireEventTypes(eventTypes);
  await requireAllowedUrl(url, targets);
}

/**
 * Makes an active subscription, which was checked, and its secret. BUSINESS_RESOURCE_LIMIT goes before
 * BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT.
 */
export async function createSubscription(
  { subscriptions, seal }: Pick<SubscriptionDeps, 'subscriptions' | 'seal'>,
  scope: PartnerScope,
  request: NewSubscription,
): Promise<WithSecret> {
  const eventTypes = requireEventTypes(request.eventTypes);
  const id = uuidv7();
  const secret = newSecret();
  const stored = { id, url: request.url, eventTypes, secret: seal.seal(id, secret) };
  return { subscription: await subscriptions.insert(scope, stored), secret };
}
