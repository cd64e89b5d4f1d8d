import { presentWebhookDiagnosis } from '@reseller/presenters';
import { z } from 'zod';
import { defineRoute } from '../route';
import { exampleDiagnosis, showsPassed, webhookDiagnosis } from './diagnosis.resource';
import { exampleWebhook, subscriptionPath } from './webhook.resource';

/** GET /api/v1/webhooks/{id}/diagnosis */
export const getWebhookDiagnosis = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks/{id}/diagnosis',
  tag: 'Webhooks',
  shows: showsPassed,
  summary: 'Read the last diagnosis',
  description: 'The last diagnosis of the subscription that ended; each one replaces the one before.',
  params: z.object(subscriptionPath),
  response: webhookDiagnosis,
  errors: ['NOT_FOUND_WEBHOOK_SUBSCRIPTION', 'NOT_FOUND_WEBHOOK_DIAGNOSIS'],
  examples: { params: { id: exampleWebhook.id }, response: exampleDiagnosis },
  async handle({ params, call, clients }) {
    const request = { subscriptionId: params.id };
    return presentWebhookDiagnosis(
      (await clients.webhookDiagnoses.getWebhookDiagnosis(request, call)).diagnosis,
    );
  },
});
