import { AppError } from '@reseller/errors';
import { isUuid, type PartnerScope } from '@reseller/rpc';
import type { SubscriptionDeps } from './create-subscription';
import type { Subscription } from './domain/subscription';
import type { SubscriptionTarget } from './subscription.repository';

/** The scope's own subscription; NOT_FOUND_WEBHOOK_SUBSCRIPTION for any other, whoever's it is. */
export async function getSubscription(
  { subscriptions }: Pick<SubscriptionDeps, 'subscriptions'>,
  scope: PartnerScope,
  id: string,
): Promise<Subscription> {
  return requireFound(isUuid(id) && (await subscriptions.find(scope, id)));
}

/** Where the scope's own subscription sends, and its secret; NOT_FOUND_WEBHOOK_SUBSCRIPTION for any other. */
export async function getSubscriptionTarget(
  { subscriptions }: Pick<SubscriptionDeps, 'subscriptions'>,
  scope: PartnerScope,
  id: string,
): Promise<SubscriptionTarget> {
  const target = isUuid(id) ? await subscriptions.findTarget(scope, id) : undefined;
  if (!target) throw new AppError('NOT_FOUND_WEBHOOK_SUBSCRIPTION');
  return target;
}

/** The subscription that a repository found or changed; NOT_FOUND_WEBHOOK_SUBSCRIPTION when there was none. */
export function requireFound(subscription: Subscription | undefined | false): Subscription {
  if (!subscription) throw new AppError('NOT_FOUND_WEBHOOK_SUBSCRIPTION');
  return subscription;
}
