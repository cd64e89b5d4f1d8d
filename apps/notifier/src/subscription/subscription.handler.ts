import { WebhookServiceService, type WebhookEventType } from '@reseller/contracts';
import type { KeyedCalls } from '@reseller/database';
import { WEBHOOK_EVENT_TYPE_NAMES, type WebhookEventTypeName } from '@reseller/presenters';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import {
  deleteSubscription,
  rotateSecret,
  setSubscriptionActive,
  updateSubscription,
} from './change-subscription';
import {
  checkSubscription,
  createSubscription,
  type SubscriptionDeps,
  type WithSecret,
} from './create-subscription';
import { getSubscription } from './get-subscription';
import { toSubscriptionMessage } from './subscription.mapper';
import type { SubscriptionRepository } from './subscription.repository';

/** The part of the webhook service that deals with subscriptions. */
type SubscriptionHandlers = Pick<
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
export function createSubscriptionHandlers(
  deps: SubscriptionDeps,
  keyed: KeyedCalls<SubscriptionRepository>,
): SubscriptionHandlers {
  const { seal } = deps;
  return {
    async createWebhook({ url, eventTypes }, call) {
      const request = { url, eventTypes: namesOf(eventTypes) };
      const scope = partnerScopeOf(call);
      const create = async (subscriptions: SubscriptionRepository) =>
        withSecret(await createSubscription({ subscriptions, seal }, scope, request));
      const check = () => checkSubscription(deps, request);
      return keyed.run(call, WebhookServiceService.createWebhook, create, check);
    },
    async listWebhooks({ page }, call) {
      const list = await deps.subscriptions.list(partnerScopeOf(call), page);
      return { subscriptions: list.subscriptions.map(toSubscriptionMessage), page: list.page };
    },
    async getWebhook({ subscriptionId }, call) {
      const subscription = await getSubscription(deps, partnerScopeOf(call), subscriptionId);
      return { subscription: toSubscriptionMessage(subscription) };
    },
    async updateWebhook({ subscriptionId, url, eventTypes }, call) {
      const request = { url, eventTypes: namesOf(eventTypes) };
      const subscription = await updateSubscription(deps, partnerScopeOf(call), subscriptionId, request);
      return { subscription: toSubscriptionMessage(subscription) };
    },
    async deleteWebhook({ subscriptionId }, call) {
      const subscription = await deleteSubscription(deps, partnerScopeOf(call), subscriptionId);
      return { subscription: toSubscriptionMessage(subscription) };
    },
    async setWebhookActive({ subscriptionId, isActive }, call) {
      const subscription = await setSubscriptionActive(deps, partnerScopeOf(call), subscriptionId, isActive);
      return { subscription: toSubscriptionMessage(subscription) };
    },
    async rotateWebhookSecret({ subscriptionId }, call) {
      const scope = partnerScopeOf(call);
      return keyed.run(call, WebhookServiceService.rotateWebhookSecret, async (subscriptions) =>
        withSecret(await rotateSecret({ subscriptions, seal }, scope, subscriptionId)),
      );
    },
  };
}

const withSecret = ({ subscription, secret }: WithSecret) => ({
  subscription: toSubscriptionMessage(subscription),
  secret,
});

const namesOf = (types: WebhookEventType[]): (WebhookEventTypeName | undefined)[] =>
  types.map((type) => WEBHOOK_EVENT_TYPE_NAMES[type]);
