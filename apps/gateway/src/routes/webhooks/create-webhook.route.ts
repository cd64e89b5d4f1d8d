import { z } from 'zod';
import { presentWebhook, webhookEventType } from '@reseller/presenters';
import {
  eventTypes,
  webhookUrl,
  webhookWithSecret,
  exampleWebhook,
  exampleWebhookWithSecret,
} from './webhook.resource';
import { defineRoute } from '../route';
import { requireSendable } from './require-sendable';

const body = z.strictObject({ url: webhookUrl, eventTypes });

/** POST /api/v1/webhooks */
export const createWebhook = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks',
  tag: 'Webhooks',
  idempotencyKey: true,
  summary: 'Subscribe to events',
  description:
    'Makes an active subscription in the token’s environment; there are at most 20, five of them active. The response holds the ' +
    'secret that signs every delivery: keep it, it is not shown again. The url must lead to public addresses only, ' +
    'which is checked here and again before every attempt.',
  body,
  anyText: ['url'],
  response: webhookWithSecret,
  links: {
    getWebhook: { id: 'subscription/id' },
    testFireWebhook: { id: 'subscription/id' },
    diagnoseWebhook: { id: 'subscription/id' },
    listWebhookDeliveries: { id: 'subscription/id' },
  },
  success: { state: 'CREATED', status: 201 },
  errors: [
    'VALIDATION_WEBHOOK_URL_REJECTED',
    'BUSINESS_RESOURCE_LIMIT',
    'BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT',
  ],
  examples: {
    body: { url: exampleWebhook.url, eventTypes: exampleWebhook.eventTypes },
    response: exampleWebhookWithSecret,
  },
  async handle({ body, call, clients }) {
    requireSendable(body.url);
    const request = { url: body.url, eventTypes: body.eventTypes.map(webhookEventType) };
    const { subscription, secret } = await clients.webhooks.createWebhook(request, call);
    return { subscription: presentWebhook(subscription), secret };
  },
});
