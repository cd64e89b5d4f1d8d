import {
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_ERROR_SUMMARIES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_LAST_DELIVERY_STATUSES,
} from '@reseller/presenters';
import { z } from 'zod';
import { count, environmentName, moment, pageOfItems } from './fields';

const errorSummary = z.enum(WEBHOOK_ERROR_SUMMARIES).nullable();
const responseStatus = z.int().nullable();

const attempt = z
  .strictObject({
    attemptNumber: count,
    attemptedAt: moment,
    responseStatus,
    durationMs: count,
    errorSummary,
  })
  .meta({ id: 'WebhookAttempt' });

const fields = {
  id: z.string(),
  subscriptionId: z.string(),
  eventId: z.string(),
  eventType: z.enum(WEBHOOK_EVENT_TYPES),
  status: z.enum(WEBHOOK_DELIVERY_STATUSES),
  attemptCount: count,
  lastAttemptAt: moment.nullable(),
  nextAttemptAt: moment.nullable(),
  responseStatus,
  durationMs: count.nullable(),
  errorSummary,
  isTest: z.boolean(),
  createdAt: moment,
  attempts: z.array(attempt),
};

const webhook = z
  .strictObject({
    id: z.string(),
    partnerId: z.string(),
    environment: environmentName,
    url: z.string(),
    eventTypes: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
    isActive: z.boolean(),
    lastDeliveryAt: moment.nullable(),
    lastDeliveryStatus: z.enum(WEBHOOK_LAST_DELIVERY_STATUSES).nullable(),
    createdAt: moment,
  })
  .meta({ id: 'Webhook' });

/** A page of a partner's subscriptions. */
export const webhooksPage = pageOfItems(webhook);

/** A delivery as its partner reads it. */
export const webhookDelivery = z.strictObject(fields).meta({ id: 'WebhookDelivery' });

/** The same with whose it is, and the order it is about. */
export const webhookDeliveryRow = z
  .strictObject({
    ...fields,
    partnerId: z.string(),
    environment: environmentName,
    orderGlobalId: z.string().nullable(),
  })
  .meta({ id: 'WebhookDeliveryRow' });

/** One delivery with what it sends. */
export const webhookDeliveryWithBody = webhookDeliveryRow
  .extend({
    body: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The JSON that each attempt signs and sends.' }),
  })
  .meta({ id: 'WebhookDeliveryWithBody' });

/** A page of every partner's deliveries. */
export const webhookDeliveriesPage = pageOfItems(webhookDeliveryRow);
