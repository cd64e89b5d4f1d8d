import { describe, expect, it } from '@jest/globals';
import { WebhookDeliveryStatus, WebhookEventType } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { useGateway } from './support/gateway';
import { ACME, someWebhook, someWebhookDelivery } from './support/samples';

const gateway = useGateway();

const { id } = someWebhook();
const deliveryId = someWebhookDelivery().id;
const calls = () => gateway.dependencies.seen.calls;
const send = (method: string, path: string, body?: unknown) =>
  gateway.sendAs(gateway.token, `/api/v1/webhooks${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

const presented = {
  id,
  partnerId: ACME,
  url: 'https://hooks.example.com/reseller',
  eventTypes: ['order.fulfilment-updated', 'order.completed'],
  isActive: true,
  lastDeliveryAt: null,
  lastDeliveryStatus: null,
  createdAt: '2026-01-10T08:00:00.000Z',
};
const presentedDelivery = {
  id: deliveryId,
  subscriptionId: id,
  eventId: '019a2f51-4b2d-7e55-8b1a-3f4e5d6c7b90',
  eventType: 'order.failed',
  status: 'DeadLettered',
  attemptCount: 1,
  lastAttemptAt: '2026-01-15T09:30:01.000Z',
  nextAttemptAt: null,
  responseStatus: null,
  durationMs: 12,
  errorSummary: 'Connection failed',
  isTest: true,
  createdAt: '2026-01-15T09:30:00.000Z',
  attempts: [
    {
      attemptNumber: 1,
      attemptedAt: '2026-01-15T09:30:01.000Z',
      responseStatus: null,
      durationMs: 12,
      errorSummary: 'Connection failed',
    },
  ],
};
const pagination = { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };

describe('the webhook routes', () => {
  it('when a subscription is created, then it is 201 CREATED with the secret, and the service got every name', async () => {
    const requested = {
      url: 'https://hooks.example.com/reseller',
      eventTypes: [
        'order.completed',
        'order.failed',
        'order.cancelled',
        'order.returned',
        'order.fulfilment-updated',
        'variant.back-in-stock',
        'order.return-request.updated',
      ],
    };
    const response = await send('POST', '', requested);
    expect([response.status, response.body]).toEqual([
      201,
      {
        state: 'CREATED',
        payload: {
          subscription: { ...presented, eventTypes: requested.eventTypes },
          secret: 'whsec_once',
        },
      },
    ]);
    expect(calls().at(-1)?.request).toEqual({
      url: requested.url,
      eventTypes: [
        WebhookEventType.ORDER_COMPLETED,
        WebhookEventType.ORDER_FAILED,
        WebhookEventType.ORDER_CANCELLED,
        WebhookEventType.ORDER_RETURNED,
        WebhookEventType.ORDER_FULFILMENT_UPDATED,
        WebhookEventType.VARIANT_BACK_IN_STOCK,
        WebhookEventType.ORDER_RETURN_REQUEST_UPDATED,
      ],
    });
  });

  it('when subscriptions are read, paused, deleted and given a new secret, then each returns the subscription', async () => {
    expect((await send('GET', '')).body.payload).toEqual({ items: [presented], pagination });
    expect((await send('GET', `/${id}`)).body).toEqual({ state: 'SUCCESS', payload: presented });
    expect((await send('DELETE', `/${id}`)).body).toEqual({ state: 'SUCCESS', payload: presented });
    expect((await send('PATCH', `/${id}/active`, { isActive: false })).body.payload).toEqual({
      ...presented,
      isActive: false,
    });
    const rotated = await send('POST', `/${id}/rotate-secret`);
    expect([rotated.status, rotated.body]).toEqual([
      200,
      { state: 'SUCCESS', payload: { subscription: presented, secret: 'whsec_twice' } },
    ]);
    expect(calls().map(({ method }) => method)).toEqual([
      'listWebhooks',
      'getWebhook',
      'deleteWebhook',
      'setWebhookActive',
      'rotateWebhookSecret',
    ]);
  });

  it('when PUT gives null or nothing, then the service is to leave it', async () => {
    const response = await send('PUT', `/${id}`, { url: null });
    expect(response.body.payload).toMatchObject({
      lastDeliveryAt: '2026-01-15T09:30:00.000Z',
      lastDeliveryStatus: 'Destination rejected',
    });
    expect(calls().at(-1)?.request).toEqual({ subscriptionId: id, eventTypes: [] });
    await send('PUT', `/${id}`, { url: 'https://a.example/', eventTypes: ['order.failed'] });
    expect(calls().at(-1)?.request).toEqual({
      subscriptionId: id,
      url: 'https://a.example/',
      eventTypes: [WebhookEventType.ORDER_FAILED],
    });
  });

  it('when deliveries are listed, fired and sent again, then each shows every field', async () => {
    const list = await send('GET', `/${id}/deliveries?status=DeadLettered&eventType=order.failed`);
    expect(list.body.payload).toEqual({ items: [presentedDelivery], pagination });
    expect(calls().at(-1)?.request).toEqual({
      subscriptionId: id,
      page: { page: 1, pageSize: 20 },
      eventType: WebhookEventType.ORDER_FAILED,
      status: WebhookDeliveryStatus.DEAD_LETTERED,
    });
    const fired = await send('POST', `/${id}/test-fire`, { eventType: 'variant.back-in-stock' });
    expect([fired.status, fired.body]).toEqual([200, { state: 'SUCCESS', payload: presentedDelivery }]);
    expect(calls().at(-1)?.request).toEqual({
      subscriptionId: id,
      eventType: WebhookEventType.VARIANT_BACK_IN_STOCK,
    });
    const again = await send('POST', `/${id}/deliveries/${deliveryId}/redeliver`);
    expect(again.body.payload).toEqual({ ...presentedDelivery, status: 'Pending' });
    expect(calls().at(-1)?.request).toEqual({ subscriptionId: id, deliveryId });
  });

  it('when a test is fired, then it has 15 seconds, and any other change 12', async () => {
    await send('POST', `/${id}/test-fire`, { eventType: 'order.failed' });
    await send('POST', `/${id}/rotate-secret`);
    const left = calls().map(({ call }) => (call.deadlineAt ?? 0) - Date.now());
    expect(left[0]).toBeGreaterThan(12_000);
    expect(left[0]).toBeLessThanOrEqual(15_000);
    expect(left[1]).toBeLessThanOrEqual(12_000);
  });

  it('when a receiver is diagnosed, then that has 35 seconds', async () => {
    await send('POST', `/${id}/diagnose`);
    const left = (calls().at(-1)?.call.deadlineAt ?? 0) - Date.now();
    expect([left > 30_000, left <= 35_000]).toEqual([true, true]);
  });

  it.each([
    ['POST', '', {}, ['url', 'eventTypes']],
    ['POST', '', { url: 7, eventTypes: 'order.failed' }, ['url', 'eventTypes']],
    ['POST', '', { url: null, eventTypes: ['order.failed'] }, ['url']],
    ['POST', '', { url: 'https://a.example/', eventTypes: [] }, ['eventTypes']],
    ['POST', '', { url: 'https://a.example/', eventTypes: ['order.failed', 'order.failed'] }, ['eventTypes']],
    ['POST', '', { url: 'https://a.example/', eventTypes: ['order.processing'] }, ['eventTypes.0']],
    ['POST', '', { url: 'https://a.example/', eventTypes: ['ORDER.FAILED'] }, ['eventTypes.0']],
    ['POST', '', { url: 'https://a.example/', eventTypes: [null] }, ['eventTypes.0']],
    ['POST', '', { url: 'https://a.example/', eventTypes: ['order.failed'], isActive: true }, ['isActive']],
    ['PUT', `/${id}`, { eventTypes: [] }, ['eventTypes']],
    ['PUT', `/${id}`, { url: true }, ['url']],
    ['PUT', '/not-a-uuid', { url: null }, ['id']],
    ['PATCH', `/${id}/active`, {}, ['isActive']],
    ['PATCH', `/${id}/active`, { isActive: 'false' }, ['isActive']],
    ['PATCH', `/${id}/active`, { isActive: null }, ['isActive']],
    ['POST', `/${id}/test-fire`, {}, ['eventType']],
    ['POST', `/${id}/test-fire`, { eventType: 'order.processing' }, ['eventType']],
    ['GET', `/${id}/deliveries?status=Failed&eventType=x&page=0`, undefined, ['page', 'eventType', 'status']],
    ['POST', `/${id}/deliveries/7/redeliver`, undefined, ['deliveryId']],
    ['POST', `/${id}/rotate-secret`, { id: 1 }, ['id']],
    ['POST', `/${id}/diagnose`, { eventType: 'order.failed' }, ['eventType']],
  ])(
    'when %s %s gets %j, then each fault is named and the service is not called',
    async (method, path, body, at) => {
      const response = await send(method, path, body);
      expect([response.status, response.body.state]).toEqual([400, 'VALIDATION_FAILED']);
      expect(response.body.details.errors?.map((fault) => fault.path)).toEqual(at);
      expect(calls()).toEqual([]);
    },
  );

  it('when a url is any text at all, then the service decides about it, with its own code', async () => {
    gateway.dependencies.webhooks.createWebhook = () =>
      Promise.reject(new AppError('VALIDATION_WEBHOOK_URL_REJECTED'));
    for (const url of ['', 'no url', 'http://a.example/', 'https://a.example/\u0000', '\ud800']) {
      const response = await send('POST', '', { url, eventTypes: ['order.failed'] });
      expect([response.status, response.body.state]).toEqual([400, 'VALIDATION_WEBHOOK_URL_REJECTED']);
    }
  });

  it('when the service refuses, then its code and status reach the partner', async () => {
    const refuse = (code: ConstructorParameters<typeof AppError>[0]) => () =>
      Promise.reject(new AppError(code));
    const { webhooks } = gateway.dependencies;
    webhooks.setWebhookActive = refuse('BUSINESS_WEBHOOK_SUBSCRIPTION_LIMIT');
    webhooks.getWebhook = refuse('NOT_FOUND_WEBHOOK_SUBSCRIPTION');
    webhooks.redeliverWebhookDelivery = refuse('RATE_LIMITED');
    webhooks.createWebhook = () => Promise.reject(new AppError('BUSINESS_RESOURCE_LIMIT', { limit: 20 }));
    const tooMany = await send('POST', '', {
      url: 'https://partner.example/hooks',
      eventTypes: ['order.failed'],
    });
    expect([tooMany.status, tooMany.body.details]).toEqual([422, expect.objectContaining({ limit: 20 })]);
    expect((await send('PATCH', `/${id}/active`, { isActive: true })).status).toBe(422);
    expect((await send('GET', `/${id}`)).status).toBe(404);
    const limited = await send('POST', `/${id}/deliveries/${deliveryId}/redeliver`);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
    webhooks.redeliverWebhookDelivery = refuse('CONFLICT_DELIVERY_NOT_FINAL');
    expect((await send('POST', `/${id}/deliveries/${deliveryId}/redeliver`)).status).toBe(409);
  });
});
