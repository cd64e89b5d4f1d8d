import { z } from 'zod';
import { presentWebhookDelivery, webhookEventType } from '@reseller/presenters';
import {
  eventType,
  subscriptionPath,
  webhookDelivery,
  exampleWebhook,
  exampleWebhookDelivery,
} from './webhook.resource';
import { defineRoute } from '../route';

/** The attempt itself takes up to 10 s (spec §10.7). */
const TEST_FIRE_DEADLINE_MS = 15_000;

const body = z.strictObject({
  eventType: eventType.meta({ description: 'Which example is sent, subscribed or not.' }),
});

/** POST /api/v1/webhooks/{id}/test-fire */
export const testFireWebhook = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/{id}/test-fire',
  tag: 'Webhooks',
  idempotencyKey: true,
  summary: 'Send a test delivery',
  description:
    'Sends one signed example event the way real ones are sent, with the header X-Service-Test: true, and returns the ' +
    'delivery after its only attempt. It works on a paused subscription.',
  params: z.object(subscriptionPath),
  body,
  response: webhookDelivery,
  errors: ['NOT_FOUND_WEBHOOK_SUBSCRIPTION'],
  deadlineMs: TEST_FIRE_DEADLINE_MS,
  examples: {
    params: { id: exampleWebhook.id },
    body: { eventType: 'order.completed' },
    response: {
      ...exampleWebhookDelivery,
      isTest: true,
      attemptCount: 1,
      attempts: exampleWebhookDelivery.attempts.slice(1).map((attempt) => ({ ...attempt, attemptNumber: 1 })),
    },
  },
  async handle({ params, body, call, clients }) {
    const request = { subscriptionId: params.id, eventType: webhookEventType(body.eventType) };
    return presentWebhookDelivery((await clients.webhooks.testFireWebhook(request, call)).delivery);
  },
});
