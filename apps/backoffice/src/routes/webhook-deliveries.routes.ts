import type { WebhookDelivery } from '@reseller/contracts';
import {
  present,
  presentPage,
  presentWebhook,
  presentWebhookDelivery,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_EVENT_TYPES,
  webhookDeliveryStatus,
  webhookEventType,
} from '@reseller/presenters';
import { z } from 'zod';
import { recordRead } from '../record-change';
import { csvOf } from './csv-export';
import { EXAMPLE_ID, pageOf, pageQuery, uuid } from './fields';
import {
  webhookDeliveriesPage,
  webhookDeliveryRow,
  webhookDeliveryWithBody,
  webhooksPage,
} from './responses/webhook-deliveries';
import { defineRoute, type OpsRoute } from './route';
import { presentEnvironment } from './values.presenter';

const listWebhooks = defineRoute({
  method: 'GET',
  path: '/ops/v1/webhooks',
  role: 'viewer',
  summary:
    'A page of a partner’s webhook subscriptions in both environments, newest first, never with a secret',
  query: z.object({ ...pageQuery, partnerId: uuid }),
  response: webhooksPage,
  examples: { query: { partnerId: EXAMPLE_ID } },
  async handle({ query, call, clients }) {
    const request = { partnerId: query.partnerId, page: pageOf(query) };
    const { subscriptions, page } = await clients.deliveries.listWebhooksOfPartner(request, call);
    return presentPage(subscriptions, page, (one) => ({
      ...presentWebhook(one),
      environment: presentEnvironment(one.environment),
    }));
  },
});

const listDeliveries = defineRoute({
  method: 'GET',
  path: '/ops/v1/webhook-deliveries',
  role: 'viewer',
  summary: 'A page of deliveries of every partner, each with partnerId, environment and orderGlobalId',
  query: z.object({
    ...pageQuery,
    status: z.enum(WEBHOOK_DELIVERY_STATUSES).optional(),
    subscriptionId: uuid.optional(),
    eventType: z.enum(WEBHOOK_EVENT_TYPES).optional(),
  }),
  response: webhookDeliveriesPage,
  async handle({ query, call, clients }) {
    const request = {
      page: pageOf(query),
      status: webhookDeliveryStatus(query.status),
      subscriptionId: query.subscriptionId,
      eventType: webhookEventType(query.eventType),
    };
    const { deliveries, page } = await clients.deliveries.listAllWebhookDeliveries(request, call);
    return presentPage(deliveries, page, presentDeliveryRow);
  },
});

const readDelivery = defineRoute({
  method: 'GET',
  path: '/ops/v1/webhook-deliveries/{id}',
  role: 'viewer',
  summary: 'A delivery with the JSON that it sends, for as long as it may be sent again',
  params: z.object({ id: uuid }),
  response: webhookDeliveryWithBody,
  examples: { params: { id: EXAMPLE_ID } },
  async handle({ params: { id: deliveryId }, call, clients }) {
    const { delivery, body } = await clients.deliveries.getAnyWebhookDelivery({ deliveryId }, call);
    const row = presentDeliveryRow(present(delivery, 'delivery'));
    const { partnerId, orderGlobalId: subject, id } = row;
    // What an event says of an order is the order (spec §18.4).
    if (subject !== null)
      await recordRead(
        clients,
        { action: 'order.read', partnerId, subject, details: { deliveryId: id } },
        call,
      );
    return { ...row, body: JSON.parse(body) as Record<string, unknown> };
  },
});

const redeliver = defineRoute({
  method: 'POST',
  path: '/ops/v1/webhook-deliveries/{id}/redeliver',
  role: 'support',
  summary: 'Send a finished delivery again, as a new delivery; not sooner than a second after the last',
  params: z.object({ id: uuid }),
  response: webhookDeliveryRow,
  examples: { params: { id: EXAMPLE_ID } },
  async audit({ params: { id: deliveryId }, call, clients }) {
    const { delivery } = await clients.deliveries.getAnyWebhookDelivery({ deliveryId }, call);
    const { id, partnerId, eventId, subscriptionId } = present(delivery, 'delivery');
    const details = { eventId, subscriptionId };
    return { action: 'webhook-delivery.redeliver', partnerId, subject: id, details };
  },
  async handle({ params: { id: deliveryId }, call, clients }) {
    const { delivery } = await clients.deliveries.redeliverAnyWebhookDelivery({ deliveryId }, call);
    return presentDeliveryRow(present(delivery, 'delivery'));
  },
});

/** What its partner reads, whose it is, and the order it is about. */
export function presentDeliveryRow(delivery: WebhookDelivery) {
  return {
    ...presentWebhookDelivery(delivery),
    partnerId: delivery.partnerId,
    environment: presentEnvironment(delivery.environment),
    orderGlobalId: delivery.orderGlobalId ?? null,
  };
}

/** Every partner's webhooks and their deliveries, and sending one again. */
export const webhookDeliveryRoutes: readonly OpsRoute[] = [
  listWebhooks,
  listDeliveries,
  csvOf(listDeliveries, { row: webhookDeliveryRow, key: 'id' }),
  readDelivery,
  redeliver,
];
