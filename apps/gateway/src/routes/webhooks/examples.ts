import { EXAMPLE_PARTNER_ID } from '../examples';

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
