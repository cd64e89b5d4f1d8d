import type { WebhookServiceService, WebhookSubscription } from '@reseller/contracts';
import {
  WEBHOOK_EVENT_TYPE_NAMES,
  webhookEventType,
  webhookLastDeliveryStatus,
  type WebhookLastDeliveryStatusName,
} from '@reseller/presenters';
import type { RpcHandlers } from '@reseller/rpc';
import { scopeOf, toEnvironment } from '../scope';
import {
  deleteSubscription,
  rotateSecret,
  setSubscriptionActive,
  updateSubscription,
} from './change-subscription';
import { createSubscription, type SubscriptionDeps } from './create-subscription';
import type { Subscription } from './domain/subscription';
import { getSubscription } from './get-subscription';

/** The part of the webhook service that deals with subscriptions. */
export type SubscriptionHandlers = Pick<
  RpcHandlers<typeof WebhookServiceService>,
  | 'createWebhook'
  | 'listWebhooks'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'setWebhookActive'
  | 'rotateWebhookSecret'
>;

/** The subscription methods, ready to be joined with those of deliveries. */
export function createSubscriptionHandlers(deps: SubscriptionDeps): SubscriptionHandlers {
  const { subscriptions } = deps;
  return {
    async createWebhook({ url, eventTypes }, call) {
      const asked = { url, eventTypes: eventTypes.map((type) => WEBHOOK_EVENT_TYPE_NAMES[type]) };
      const { subscription, secret } = await createSubscription(deps, scopeOf(call), asked);
      return { subscription: toMessage(subscription), secret };
    },
    async listWebhooks({ page }, call) {
      const list = await subscriptions.list(scopeOf(call), page);
      return { subscriptions: list.subscriptions.map(toMessage), page: list.page };
    },
    async getWebhook({ subscriptionId }, call) {
      return { subscription: toMessage(await getSubscription(subscriptions, scopeOf(call), subscriptionId)) };
    },
    async updateWebhook({ subscriptionId, url, eventTypes }, call) {
      const asked = { url, eventTypes: eventTypes.map((type) => WEBHOOK_EVENT_TYPE_NAMES[type]) };
      return {
        subscription: toMessage(await updateSubscription(deps, scopeOf(call), subscriptionId, asked)),
      };
    },
    async deleteWebhook({ subscriptionId }, call) {
      return {
        subscription: toMessage(await deleteSubscription(subscriptions, scopeOf(call), subscriptionId)),
      };
    },
    async setWebhookActive({ subscriptionId, isActive }, call) {
      const changed = await setSubscriptionActive(subscriptions, scopeOf(call), subscriptionId, isActive);
      return { subscription: toMessage(changed) };
    },
    async rotateWebhookSecret({ subscriptionId }, call) {
      const { subscription, secret } = await rotateSecret(deps, scopeOf(call), subscriptionId);
      return { subscription: toMessage(subscription), secret };
    },
  };
}

function toMessage(subscription: Subscription): WebhookSubscription {
  const { environment, eventTypes, lastDeliveryAt, lastDeliveryStatus, ...same } = subscription;
  return {
    ...same,
    environment: toEnvironment(environment),
    eventTypes: eventTypes.map(webhookEventType),
    lastDeliveryAt: lastDeliveryAt ?? undefined,
    lastDeliveryStatus: webhookLastDeliveryStatus(lastDeliveryStatus as WebhookLastDeliveryStatusName | null),
  };
}
