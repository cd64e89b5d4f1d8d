import { z } from 'zod';
import { presentWebhook, webhookEventType } from '@reseller/presenters';
import {
  eventTypes,
  subscriptionPath,
  webhookSubscription,
  webhookUrl,
  exampleWebhook,
} from './webhook.resource';
import { defineRoute } from '../route';
import { requireSendable } from './require-sendable';

const body = z.strictObject({ url: webhookUrl.nullish(), eventTypes: eventTypes.nullish() });

/** PUT /api/v1/webhooks/{id} */
export const updateWebhook = defineRoute({
  method: 'PUT',
  path: '/api/v1/webhooks/{id}',
  tag: 'Webhooks',
  summary: 'Change a subscription',
  description:
    'A field that is null or absent stays as it is. A changed url is checked as at creation; deliveries under way go ' +
    'to it with their next attempt.',
  params: z.object(subscriptionPath),
  body,
  anyText: ['url'],
  response: webhookSubscription,
  errors: ['VALIDATION_WEBHOOK_URL_REJECTED', 'NOT_FOUND_WEBHOOK_SUBSCRIPTION'],
  examples: {
    params: { id: exampleWebhook.id },
    body: { eventTypes: exampleWebhook.eventTypes },
    response: exampleWebhook,
  },
  async handle({ params, body, call, clients }) {
    if (body.url != null) requireSendable(body.url);
    const request = {
      subscriptionId: params.id,
      url: body.url ?? undefined,
      eventTypes: (body.eventTypes ?? []).map(webhookEventType),
    };
    return presentWebhook((await clients.webhooks.updateWebhook(request, call)).subscription);
  },
});
