import { ALWAYS } from '@reseller/http-edge';
import {
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ERROR_SUMMARIES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_LAST_DELIVERY_STATUSES,
} from '@reseller/presenters';
import { z } from 'zod';
import { id, moment } from '../../fields/response-fields';
import { uuid } from '../../fields/request-fields';
import { EXAMPLE_PARTNER_ID } from '../examples';

/** One event type of a request. */
export const eventType = z.enum(WEBHOOK_EVENT_TYPES);

/** The events a subscription is for: each once (spec §10.1). */
export const eventTypes = z
  .array(eventType)
  .min(1, { error: 'must name at least one event type' })
  .max(WEBHOOK_EVENT_TYPES.length, { error: `must name at most ${WEBHOOK_EVENT_TYPES.length} event types` })
  .refine((types: unknown) => !Array.isArray(types) || new Set(types).size === types.length, {
    ...ALWAYS,
    error: 'must name each event type once',
  })
  .meta({ description: 'What you want to be notified of, each once.', uniqueItems: true });

/** Any text here: whether it is fit is for notifier to say, with a code of its own (spec §10.2). */
export const webhookUrl = z.string().meta({
  description: 'A public https address of at most 2,048 characters, which is stored as you give it.',
  format: 'uri',
  example: 'https://hooks.example.com/reseller',
});

/** The subscription a path names. */
export const subscriptionPath = { id: uuid('The id of the subscription.') };

/** A subscription as partners read it. */
export const webhookSubscription = z
  .strictObject({
    id: id('The subscription.'),
    partnerId: id('Whose it is.'),
    url: z.string().meta({ description: 'Where events are sent.', format: 'uri' }),
    eventTypes: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
    isActive: z.boolean().meta({ description: 'False while it is paused.' }),
    lastDeliveryAt: moment('When the last attempt was made; tests do not count.').nullable(),
    lastDeliveryStatus: z
      .enum(WEBHOOK_LAST_DELIVERY_STATUSES)
      .nullable()
      .meta({ description: 'What the last attempt came to.' }),
    createdAt: moment('When it was made.'),
  })
  .meta({ id: 'WebhookSubscription' });

/** A subscription with its secret, which is shown here and never again. */
export const webhookWithSecret = z
  .strictObject({
    subscription: webhookSubscription,
    secret: z.string().meta({
      description:
        'The key of the HMAC-SHA256 signature, exactly as it stands here. Keep it; we cannot show it again.',
    }),
  })
  .meta({ id: 'WebhookSubscriptionWithSecret' });

const responseStatus = z.int().nullable().meta({ description: 'The HTTP status; null without a response.' });
const errorSummary = z
  .enum(WEBHOOK_ERROR_SUMMARIES)
  .nullable()
  .meta({ description: 'Why it failed; null when it did not.' });

/** A delivery with its attempts (spec §10.6). */
export const webhookDelivery = z
  .strictObject({
    id: id('The delivery.'),
    subscriptionId: id('Whom it is for.'),
    eventId: z
      .string()
      .meta({ description: 'The event; the same over retries, redeliveries and subscriptions.' }),
    eventType: z.enum(WEBHOOK_EVENT_TYPES),
    status: z.enum(WEBHOOK_DELIVERY_STATUSES),
    attemptCount: z.int(),
    lastAttemptAt: moment('When it was last tried.').nullable(),
    nextAttemptAt: moment('When it is tried next; null unless Pending.').nullable(),
    responseStatus,
    durationMs: z.int().nullable().meta({ description: 'How long the last attempt took.' }),
    errorSummary,
    isTest: z.boolean().meta({ description: 'Sent by test-fire.' }),
    createdAt: moment('When it was made.'),
    attempts: z.array(
      z.strictObject({
        attemptNumber: z.int().meta({ description: 'From 1.' }),
        attemptedAt: moment('When it was tried.'),
        responseStatus,
        durationMs: z.int(),
        errorSummary,
      }),
    ),
  })
  .meta({ id: 'WebhookDelivery' });

/** A subscription to two events, which has been used. */
export const exampleWebhook = {
  id: '019a2f50-3c2d-7e55-8b1a-3f4e5d6c7b8e',
  partnerId: EXAMPLE_PARTNER_ID,
  url: 'https://hooks.example.com/reseller',
  eventTypes: ['order.completed' as const, 'order.failed' as const],
  isActive: true,
  lastDeliveryAt: '2026-01-15T09:30:01.120Z',
  lastDeliveryStatus: 'Delivered' as const,
  createdAt: '2026-01-10T08:00:00.000Z',
};

/** The same, new, with a secret of the right shape. */
export const exampleWebhookWithSecret = {
  subscription: { ...exampleWebhook, lastDeliveryAt: null, lastDeliveryStatus: null },
  secret: 'whsec_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleE',
};

/** An event that came through at the second attempt. */
export const exampleWebhookDelivery = {
  id: '019a2f51-4c2d-7e55-8b1a-3f4e5d6c7b8f',
  subscriptionId: exampleWebhook.id,
  eventId: '019a2f51-4b2d-7e55-8b1a-3f4e5d6c7b90',
  eventType: 'order.completed' as const,
  status: 'Delivered' as const,
  attemptCount: 2,
  lastAttemptAt: '2026-01-15T09:30:31.120Z',
  nextAttemptAt: null,
  responseStatus: 204,
  durationMs: 38,
  errorSummary: null,
  isTest: false,
  createdAt: '2026-01-15T09:30:00.500Z',
  attempts: [
    {
      attemptNumber: 1,
      attemptedAt: '2026-01-15T09:30:00.520Z',
      responseStatus: 503,
      durationMs: 600,
      errorSummary: 'Delivery failed' as const,
    },
    {
      attemptNumber: 2,
      attemptedAt: '2026-01-15T09:30:31.120Z',
      responseStatus: 204,
      durationMs: 38,
      errorSummary: null,
    },
  ],
};
