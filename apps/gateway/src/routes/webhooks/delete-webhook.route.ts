import { z } from 'zod';
import { presentWebhook } from '@reseller/presenters';
import { subscriptionPath, webhookSubscription, exampleWebhook } from './webhook.resource';
import { defineRoute } from '../route';

/** DELETE /api/v1/webhooks/{id} */
export const deleteWebhook = defineRoute({
  method: 'DELETE',
  path: '/api/v1/webhooks/{id}',
  tag: 'Webhooks',
  summary: 'Delete a subscription',
  description: 'Drops what is still to be delivered, and returns the subscription as it was.',
  params: z.object(subscriptionPath),
  response: webhookSubscription,
  errors: ['NOT_FOUND_WEBHOOK_SUBSCRIPTION'],
  examples: { params: { id: exampleWebhook.id }, response: exampleWebhook },
  async handle({ params, call, clients }) {
    const { subscription } = await clients.webhooks.deleteWebhook({ subscriptionId: params.id }, call);
    return presentWebhook(subscription);
  },
});
