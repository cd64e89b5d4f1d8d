import { z } from 'zod';
import { presentWebhook } from '@reseller/presenters';
import { subscriptionPath, webhookSubscription, exampleWebhook } from './webhook.resource';
import { defineRoute } from '../route';

/** GET /api/v1/webhooks/{id} */
export const getWebhook = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks/{id}',
  tag: 'Webhooks',
  summary: 'Read a subscription',
  description: 'A subscription of another partner or environment is returned as if it did not exist.',
  params: z.object(subscriptionPath),
  response: webhookSubscription,
  errors: ['NOT_FOUND_WEBHOOK_SUBSCRIPTION'],
  examples: { params: { id: exampleWebhook.id }, response: exampleWebhook },
  async handle({ params, call, clients }) {
    const { subscription } = await clients.webhooks.getWebhook({ subscriptionId: params.id }, call);
    return presentWebhook(subscription);
  },
});
