import { z } from 'zod';
import { presentWebhook } from '@reseller/presenters';
import { subscriptionPath, webhookSubscription, exampleWebhook } from './webhook.resource';
import { defineRoute } from '../route';

const body = z.strictObject({ isActive: z.boolean().meta({ description: 'False pauses, true resumes.' }) });

/** PATCH /api/v1/webhooks/{id}/active */
export const setWebhookActive = defineRoute({
  method: 'PATCH',
  path: '/api/v1/webhooks/{id}/active',
  tag: 'Webhooks',
  summary: 'Pause or resume a subscription',
  description:
    'What happens while a subscription is paused is not sent later; deliveries that were under way wait for the resume.',
  params: z.object(subscriptionPath),
  body,
  response: webhookSubscription,
  errors: ['NOT_FOUND_WEBHOOK_SUBSCRIPTION', 'BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT'],
  examples: { params: { id: exampleWebhook.id }, body: { isActive: true }, response: exampleWebhook },
  async handle({ params, body: { isActive }, call, clients }) {
    const request = { subscriptionId: params.id, isActive };
    return presentWebhook((await clients.webhooks.setWebhookActive(request, call)).subscription);
  },
});
