import type { WebhookEventTypeName } from '@reseller/presenters';
import { isUuid, type Scope } from '../scope';
import type { SubscriptionDeps, WithSecret } from './create-subscription';
import { requireEventTypes, type Subscription } from './domain/subscription';
import { found, getSubscription } from './get-subscription';
import { requireFitUrl } from './require-fit-url';
import { newSecret } from './secret-seal';
import type { SubscriptionRepository } from './subscription.repository';

/** Changes what is given; only a url that differs from the present one is checked (spec §10.1). */
export async function updateSubscription(
  { subscriptions, guard }: Pick<SubscriptionDeps, 'subscriptions' | 'guard'>,
  scope: Scope,
  id: string,
  asked: { url: string | undefined; eventTypes: readonly (WebhookEventTypeName | undefined)[] },
): Promise<Subscription> {
  const eventTypes = asked.eventTypes.length === 0 ? undefined : requireEventTypes(asked.eventTypes);
  const present = await getSubscription(subscriptions, scope, id);
  const url = asked.url === present.url ? undefined : asked.url;
  if (url !== undefined) await requireFitUrl(url, guard);
  return found(await subscriptions.update(scope, id, { url, eventTypes }));
}

/** Pauses or resumes; what is so already stays (spec §10.1). */
export async function setSubscriptionActive(
  subscriptions: SubscriptionRepository,
  scope: Scope,
  id: string,
  isActive: boolean,
): Promise<Subscription> {
  return found(isUuid(id) && (await subscriptions.setActive(scope, id, isActive)));
}

/** Gives a new secret, which replaces the old one with this statement's commit. */
export async function rotateSecret(
  { subscriptions, seal }: Pick<SubscriptionDeps, 'subscriptions' | 'seal'>,
  scope: Scope,
  id: string,
): Promise<WithSecret> {
  const secret = newSecret();
  // The associated data is the id as it is stored, in lower case.
  const sealed = seal.seal(id.toLowerCase(), secret);
  return { subscription: found(isUuid(id) && (await subscriptions.setSecret(scope, id, sealed))), secret };
}

/** Removes a subscription with what is pending (spec §10.5) and answers it as it was. */
export async function deleteSubscription(
  subscriptions: SubscriptionRepository,
  scope: Scope,
  id: string,
): Promise<Subscription> {
  return found(isUuid(id) && (await subscriptions.delete(scope, id)));
}
