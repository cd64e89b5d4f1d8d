import { z } from 'zod';
import { presentWebhookDelivery } from '@reseller/presenters';
import { noBody, uuid } from '../../fields/request-fields';
import {
  subscriptionPath,
  webhookDelivery,
  exampleWebhook,
  exampleWebhookDelivery,
} from './webhook.resource';
import { defineRoute } from '../route';

/** POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver */
export const redeliverWebhookDelivery = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  tag: 'Webhooks',
  idempotencyKey: true,
  summary: 'Send an event again',
  description:
    'Sends the event of a finished delivery again, with the same eventId, and returns the new delivery. A second one ' +
    'within a second is RATE_LIMITED. On a paused subscription it waits for the resume.',
  params: z.object({ ...subscriptionPath, deliveryId: uuid('The id of the delivery.') }),
  body: noBody,
  response: webhookDelivery,
  errors: ['NOT_FOUND_WEBHOOK_SUBSCRIPTION', 'NOT_FOUND_WEBHOOK_DELIVERY', 'CONFLICT_DELIVERY_NOT_FINAL'],
  examples: {
    params: { id: exampleWebhook.id, deliveryId: exampleWebhookDelivery.id },
    body: {},
    response: {
      ...exampleWebhookDelivery,
      id: '019a2f60-4c2d-7e55-8b1a-3f4e5d6c7b91',
      status: 'Pending',
      attemptCount: 0,
      lastAttemptAt: null,
      nextAttemptAt: '2026-01-15T10:00:00.000Z',
      responseStatus: null,
      durationMs: null,
      createdAt: '2026-01-15T10:00:00.000Z',
      attempts: [],
    },
  },
  async handle({ params, call, clients }) {
    const request = { subscriptionId: params.id, deliveryId: params.deliveryId };
    return presentWebhookDelivery((await clients.webhooks.redeliverWebhookDelivery(request, call)).delivery);
  },
});
