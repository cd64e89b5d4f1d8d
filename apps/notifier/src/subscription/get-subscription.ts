import { AppError } from '@reseller/errors';
import { isUuid, type Scope } from '../scope';
import type { Subscription } from './domain/subscription';
import type { SubscriptionRepository } from './subscription.repository';

/** The scope's own subscription; NOT_FOUND_WEBHOOK_SUBSCRIPTION for any other, whoever's it is. */
export async function getSubscription(
  subscriptions: SubscriptionRepository,
  scope: Scope,
  id: string,
): Promise<Subscription> {
  return found(isUuid(id) && (await subscriptions.find(scope, id)));
}

/** What a statement on the scope's own subscription answered; NOT_FOUND_WEBHOOK_SUBSCRIPTION when it met none. */
export function found(subscription: Subscription | undefined | false): Subscription {
  if (!subscription) throw new AppError('NOT_FOUND_WEBHOOK_SUBSCRIPTION');
  return subscription;
}
