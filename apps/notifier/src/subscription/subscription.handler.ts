import type { WebhookEventType, WebhookServiceService } from '@reseller/contracts';
import { WEBHOOK_EVENT_TYPE_NAMES, type WebhookEventTypeName } from '@reseller/presenters';
import type { RpcHandlers } from '@reseller/rpc';
import { scopeOf } from '../scope';
import {
  deleteSubscription,
  rotateSecret,
  setSubscriptionActive,
  updateSubscription,
} from './change-subscription';
import { createSubscription, type SubscriptionDeps } from './create-subscription';
import { getSubscription } from './get-subscription';
import { toSubscriptionMessage } from './subscription.mapper';

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
  return {
    async createWebhook({ url, eventTypes }, call) {
      const request = { url, eventTypes: namesOf(eventTypes) };
      const { subscription, secret } = await createSubscription(deps, scopeOf(call), request);
      return { subscription: toSubscriptionMessage(subscription), secret };
    },
    async listWebhooks({ page }, call) {
      const list = await deps.subscriptions.list(scopeOf(call), page);
      return { subscriptions: list.subscriptions.map(toSubscriptionMessage), page: list.page };
    },
    async getWebhook({ subscriptionId }, call) {
      const subscription = await getSubscription(deps, scopeOf(call), subscriptionId);
      return { subscription: toSubscriptionMessage(subscription) };
    },
    async updateWebhook({ subscriptionId, url, eventTypes }, call) {
      const request = { url, eventTypes: namesOf(eventTypes) };
      const subscription = await updateSubscription(deps, scopeOf(call), subscriptionId, request);
      return { subscription: toSubscriptionMessage(subscription) };
    },
    async deleteWebhook({ subscriptionId }, call) {
      const subscription = await deleteSubscription(deps, scopeOf(call), subscriptionId);
      return { subscription: toSubscriptionMessage(subscription) };
    },
    async setWebhookActive({ subscriptionId, isActive }, call) {
      const subscription = await setSubscriptionActive(deps, scopeOf(call), subscriptionId, isActive);
      return { subscription: toSubscriptionMessage(subscription) };
    },
    async rotateWebhookSecret({ subscriptionId }, call) {
      const { subscription, secret } = await rotateSecret(deps, scopeOf(call), subscriptionId);
      return { subscription: toSubscriptionMessage(subscription), secret };
    },
  };
}

const namesOf = (types: WebhookEventType[]): (WebhookEventTypeName | undefined)[] =>
  types.map((type) => WEBHOOK_EVENT_TYPE_NAMES[type]);
