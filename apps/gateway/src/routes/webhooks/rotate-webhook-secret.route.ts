import { z } from 'zod';
import { presentWebhook } from '@reseller/presenters';
import { noBody } from '../../fields/request-fields';
import { subscriptionPath, webhookWithSecret, exampleWebhookWithSecret } from './webhook.resource';
import { defineRoute } from '../route';

/** POST /api/v1/webhooks/{id}/rotate-secret */
export const rotateWebhookSecret = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/{id}/rotate-secret',
  tag: 'Webhooks',
  idempotencyKey: true,
  summary: 'Get a new signing secret',
  description:
    'The new secret signs from the very next attempt, retries included, and the old one stops verifying at once. It is ' +
    'shown here and never again. Repeating the request makes another one, unless it has the same Idempotency-Key.',
  params: z.object(subscriptionPath),
  body: noBody,
  response: webhookWithSecret,
  errors: ['NOT_FOUND_WEBHOOK_SUBSCRIPTION'],
  examples: {
    params: { id: exampleWebhookWithSecret.subscription.id },
    body: {},
    response: exampleWebhookWithSecret,
  },
  async handle({ params, call, clients }) {
    const request = { subscriptionId: params.id };
    const { subscription, secret } = await clients.webhooks.rotateWebhookSecret(request, call);
    return { subscription: presentWebhook(subscription), secret };
  },
});
