import { ALWAYS } from '@reseller/http-edge';
import {
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ERROR_SUMMARIES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_LAST_DELIVERY_STATUSES,
} from '@reseller/presenters';
import { z } from 'zod';
import { id, moment } from './envelope';
import { uuid } from './fields';

/** One event type of a request. */
export const eventType = z.enum(WEBHOOK_EVENT_TYPES, {
  error: `must be one of ${WEBHOOK_EVENT_TYPES.join(', ')}`,
});

/** The events a subscription is for: each once (spec §10.1). */
export const eventTypes = z
  .array(eventType)
  .min(1, { error: 'must name at least one event type' })
  .max(WEBHOOK_EVENT_TYPES.length, { error: `must name at most ${WEBHOOK_EVENT_TYPES.length} event types` })
  .refine((types: unknown) => !Array.isArray(types) || new Set(types).size === types.length, {
    ...ALWAYS,
    error: 'must name each event type once',
  })
  .meta({ description: 'What you want to be told of, each once.', uniqueItems: true });

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

const responseStatus = z.int().nullable().meta({ description: 'The HTTP status; null without an answer.' });
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
