import { WebhookServiceService, type DeliveryOperationsServiceService } from '@reseller/contracts';
import { pageBounds, toPageInfo, type KeyedCalls } from '@reseller/database';
import { validationFailed } from '@reseller/errors';
import { awaitPartnerVersion, type PartnerVersions } from '@reseller/messaging';
import { WEBHOOK_DELIVERY_STATUS_NAMES, WEBHOOK_EVENT_TYPE_NAMES } from '@reseller/presenters';
import { environmentNameOf, isUuid, partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import { getSubscriptionTarget } from '../subscription/get-subscription';
import { toSubscriptionMessage } from '../subscription/subscription.mapper';
import { toDeliveryMessage } from './delivery.mapper';
import type { DeliveryRepository } from './delivery.repository';
import { getDelivery, redeliverDelivery, type RedeliverDeps } from './redeliver-delivery';
import { planTest, sendTest, type TestFireDeps } from './test-fire-webhook';

/** What the handlers of deliveries need. */
type DeliveryHandlerDeps = RedeliverDeps & TestFireDeps & { keyed: KeyedCalls<DeliveryRepository> };

/** The part of the webhook service that deals with deliveries. */
export type DeliveryHandlers = Pick<
  RpcHandlers<typeof WebhookServiceService>,
  'testFireWebhook' | 'listWebhookDeliveries' | 'listWebhookDeliveriesOfOrder' | 'redeliverWebhookDelivery'
>;

/** The delivery methods, ready to be joined with those of subscriptions. */
export function createDeliveryHandlers(deps: DeliveryHandlerDeps): DeliveryHandlers {
  return {
    async testFireWebhook({ subscriptionId, eventType }, call) {
      const scope = partnerScopeOf(call);
      const name = WEBHOOK_EVENT_TYPE_NAMES[eventType];
      if (!name) throw validationFailed([{ path: 'eventType', message: 'must be a known event type' }]);
      return deps.keyed.runLeased(call, WebhookServiceService.testFireWebhook, {
        settle: planTest,
        attempt: (plan) => sendTest(deps, scope, { subscriptionId, eventType: name }, plan),
        record: async (deliveries, { deliveryId }, { event, attempt }) => {
          const delivery = await deliveries.recordTest(deliveryId, event, subscriptionId, attempt);
          return { delivery: toDeliveryMessage(delivery) };
        },
      });
    },
    async listWebhookDeliveries({ subscriptionId, page, eventType, status }, call) {
      await getSubscriptionTarget(deps, partnerScopeOf(call), subscriptionId);
      const filter = {
        subscriptionId,
        eventType: WEBHOOK_EVENT_TYPE_NAMES[eventType],
        status: WEBHOOK_DELIVERY_STATUS_NAMES[status],
      };
      const list = await deps.deliveries.list(filter, page);
      return { deliveries: list.deliveries.map(toDeliveryMessage), page: list.page };
    },
    async listWebhookDeliveriesOfOrder({ orderGlobalId }, call) {
      const deliveries = await deps.deliveries.listOfOrder(orderGlobalId, partnerScopeOf(call));
      return { deliveries: deliveries.map(toDeliveryMessage) };
    },
    async redeliverWebhookDelivery({ subscriptionId, deliveryId }, call) {
      return deps.keyed.run(
        call,
        WebhookServiceService.redeliverWebhookDelivery,
        async (deliveries) => {
          const delivery = await redeliverDelivery({ ...deps, deliveries }, deliveryId, subscriptionId);
          return { delivery: toDeliveryMessage(delivery) };
        },
        async () => void (await getSubscriptionTarget(deps, partnerScopeOf(call), subscriptionId)),
      );
    },
  };
}

/** What operators see of webhooks of every partner, and see and do with their deliveries. */
export function createDeliveryOperations(
  deps: RedeliverDeps & Pick<TestFireDeps, 'subscriptions'> & { partners: PartnerVersions },
): RpcHandlers<typeof DeliveryOperationsServiceService> {
  const { deliveries, partners, subscriptions } = deps;
  return {
    async listWebhooksOfPartner({ partnerId, page }) {
      if (!isUuid(partnerId)) return { subscriptions: [], page: toPageInfo(page, 0) };
      const list = await subscriptions.list({ partnerId }, page);
      return { subscriptions: list.subscriptions.map(toSubscriptionMessage), page: list.page };
    },
    async listAllWebhookDeliveries({ page, status, subscriptionId, eventType }) {
      if (subscriptionId !== undefined && !isUuid(subscriptionId))
        return { deliveries: [], page: toPageInfo(page, 0) };
      const filter = {
        subscriptionId,
        eventType: WEBHOOK_EVENT_TYPE_NAMES[eventType],
        status: WEBHOOK_DELIVERY_STATUS_NAMES[status],
      };
      const list = await deliveries.list(filter, page);
      return { deliveries: list.deliveries.map(toDeliveryMessage), page: list.page };
    },
    async getAnyWebhookDelivery({ deliveryId }) {
      const delivery = await getDelivery(deliveries, deliveryId);
      return { delivery: toDeliveryMessage(delivery), body: await deliveries.readBody(delivery) };
    },
    async redeliverAnyWebhookDelivery({ deliveryId }) {
      return { delivery: toDeliveryMessage(await redeliverDelivery(deps, deliveryId)) };
    },
    async awaitPartnerFreeze({ partnerId, version }, call) {
      if (!isUuid(partnerId)) throw validationFailed([{ path: 'partnerId', message: 'must be a uuid' }]);
      return { isSeen: await awaitPartnerVersion(partners, { partnerId, version }, call) };
    },
    async searchWebhookDeliveries({ text, limit }) {
      const bounds = pageBounds({ page: 1, pageSize: limit });
      return { deliveries: (await deliveries.search(text, bounds.limit)).map(toDeliveryMessage) };
    },
    async countWebhookDeliveries({ environment: requested, fromAt, toAt }) {
      const environment = environmentNameOf(requested);
      if (!environment) throw validationFailed([{ path: 'environment', message: 'must be sandbox or live' }]);
      if (!fromAt || !toAt || fromAt >= toAt)
        throw validationFailed([{ path: 'to', message: 'must be later than from' }]);
      return deliveries.count(environment, fromAt, toAt);
    },
    async listDeliveriesOfOrder({ orderGlobalId }) {
      return { deliveries: (await deliveries.listOfOrder(orderGlobalId)).map(toDeliveryMessage) };
    },
  };
}
