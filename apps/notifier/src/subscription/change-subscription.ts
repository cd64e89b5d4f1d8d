import type { WebhookEventTypeName } from '@reseller/presenters';
import { isUuid, type PartnerScope } from '@reseller/rpc';
import type { SubscriptionDeps, WithSecret } from './create-subscription';
import { requireEventTypes, type Subscription } from './domain/subscription';
import { getSubscription, requireFound } from './get-subscription';
import { requireAllowedUrl } from './require-allowed-url';
import { newSecret } from './signing-secret';

/** Changes what is given; only a url that differs from the present one is checked (spec §10.1). */
export async function updateSubscription(
  { subscriptions, targets }: SubscriptionDeps,
  scope: PartnerScope,
  id: string,
  request: { url: string | undefined; eventTypes: readonly (WebhookEventTypeName | undefined)[] },
): Promise<Subscription> {
  const eventTypes = request.eventTypes.length === 0 ? undefined : requireEventTypes(request.eventTypes);
  const present = await getSubscription({ subscriptions }, scope, id);
  const url = request.url === present.url ? undefined : request.url;
  if (url !== undefined) await requireAllowedUrl(url, targets);
  return requireFound(await subscriptions.update(scope, id, { url, eventTypes }));
}

/** Pauses or resumes; what is so already stays (spec §10.1). */
export async function setSubscriptionActive(
  { subscriptions }: SubscriptionDeps,
  scope: PartnerScope,
  id: string,
  isActive: boolean,
): Promise<Subscription> {
  return requireFound(isUuid(id) && (await subscriptions.setActive(scope, id, isActive)));
}

/** Gives a new secret, which replaces the old one with this statement's commit. */
export async function rotateSecret(
  { subscriptions, seal }: Pick<SubscriptionDeps, 'subscriptions' | 'seal'>,
  scope: PartnerScope,
  id: string,
): Promise<WithSecret> {
  const secret = newSecret();
  // The associated data is the id as it is stored, in lower case.
  const sealed = seal.seal(id.toLowerCase(), secret);
  return {
    subscription: requireFound(isUuid(id) && (await subscriptions.setSecret(scope, id, sealed))),
    secret,
  };
}

/** Removes a subscription with what is pending (spec §10.5) and returns it as it was. */
export async function deleteSubscription(
  { subscriptions }: SubscriptionDeps,
  scope: PartnerScope,
  id: string,
): Promise<Subscription> {
  return requireFound(isUuid(id) && (await subscriptions.delete(scope, id)));
}
