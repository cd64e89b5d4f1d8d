import { z } from 'zod';
import {
  presentPage,
  presentWebhookDelivery,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_EVENT_TYPES,
  webhookDeliveryStatus,
  webhookEventType,
} from '@reseller/presenters';
import { pageOf } from '../../fields/response-fields';
import { pageQuery } from '../../fields/request-fields';
import {
  subscriptionPath,
  webhookDelivery,
  exampleWebhook,
  exampleWebhookDelivery,
} from './webhook.resource';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/webhooks/{id}/deliveries */
export const listWebhookDeliveries = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries',
  tag: 'Webhooks',
  summary: 'List a subscription’s deliveries',
  description: 'Newest first, tests included; deliveries are kept for 30 days.',
  params: z.object(subscriptionPath),
  query: z.object({
    ...pageQuery,
    eventType: z
      .enum(WEBHOOK_EVENT_TYPES)
      .optional()
      .meta({ description: 'Only deliveries of this event type.' }),
    status: z
      .enum(WEBHOOK_DELIVERY_STATUSES)
      .optional()
      .meta({ description: 'Only deliveries of this status.' }),
  }),
  response: pageOf(webhookDelivery),
  errors: ['NOT_FOUND_WEBHOOK_SUBSCRIPTION'],
  examples: {
    params: { id: exampleWebhook.id },
    query: { status: 'Delivered' },
    response: { items: [exampleWebhookDelivery], pagination: examplePagination },
  },
  async handle({ params, query: { page, pageSize, eventType, status }, call, clients }) {
    const list = await clients.webhooks.listWebhookDeliveries(
      {
        subscriptionId: params.id,
        page: { page, pageSize },
        eventType: webhookEventType(eventType),
        status: webhookDeliveryStatus(status),
      },
      call,
    );
    return presentPage(list.deliveries, list.page, presentWebhookDelivery);
  },
});
