import { AppError } from '@reseller/errors';
import { isUuid, type Scope } from '../scope';
import type { SubscriptionDeps } from './create-subscription';
import type { Subscription } from './domain/subscription';

/** The scope's own subscription; NOT_FOUND_WEBHOOK_SUBSCRIPTION for any other, whoever's it is. */
export async function getSubscription(
  { subscriptions }: Pick<SubscriptionDeps, 'subscriptions'>,
  scope: Scope,
  id: string,
): Promise<Subscription> {
  return requireFound(isUuid(id) && (await subscriptions.find(scope, id)));
}

/** The subscription that a repository found or changed; NOT_FOUND_WEBHOOK_SUBSCRIPTION when there was none. */
export function requireFound(subscription: Subscription | undefined | false): Subscription {
  if (!subscription) throw new AppError('NOT_FOUND_WEBHOOK_SUBSCRIPTION');
  return subscription;
}
