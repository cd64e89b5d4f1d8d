import { describe, expect, it } from '@jest/globals';
import {
  DeliveryOperationsServiceService,
  Environment,
  WebhookDeliveryStatus,
  WebhookEventType,
  WebhookLastDeliveryStatus,
} from '@reseller/contracts';
import { aDelivery, aSummary } from './support/samples';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

describe('webhooks', () => {
  it('when a partner’s are listed, then each says where it sends what and how it stands, and nobody’s are without a partner', async () => {
    const webhook = {
      ...{ id: aDelivery.id, partnerId: aSummary.partnerId, url: 'https://partner.example/hook' },
      isActive: false,
      environment: Environment.LIVE,
      eventTypes: [WebhookEventType.ORDER_COMPLETED],
      lastDeliveryStatus: WebhookLastDeliveryStatus.TIMEOUT,
      lastDeliveryAt: new Date('2026-11-30T10:00:00.000Z'),
      createdAt: new Date('2026-11-01T10:00:00.000Z'),
    };
    const notifier = backoffice.fakes.of('notifier').handlers(DeliveryOperationsServiceService);
    notifier.listWebhooksOfPartner = () => ({ subscriptions: [webhook] });
    const response = await backoffice.send('GET', `/webhooks?partnerId=${aSummary.partnerId}&pageSize=5`);
    expect(backoffice.calls[0]?.request).toEqual({
      partnerId: aSummary.partnerId,
      page: { page: 1, pageSize: 5 },
    });
    expect(response.body.payload).toMatchObject({
      items: [
        {
          ...webhook,
          environment: 'live',
          eventTypes: ['order.completed'],
          lastDeliveryStatus: 'Timeout',
          lastDeliveryAt: '2026-11-30T10:00:00.000Z',
          createdAt: '2026-11-01T10:00:00.000Z',
        },
      ],
    });
    expect((await backoffice.send('GET', '/webhooks')).body.state).toBe('VALIDATION_FAILED');
  });
});

describe('webhook deliveries', () => {
  it('when dead letters are listed, then each names its partner, environment and order', async () => {
    const filters = `status=DeadLettered&eventType=order.completed&subscriptionId=${aDelivery.id}`;
    const response = await backoffice.send('GET', `/webhook-deliveries?${filters}&pageSize=5`);
    expect(backoffice.calls[0]?.request).toMatchObject({
      page: { page: 1, pageSize: 5 },
      status: WebhookDeliveryStatus.DEAD_LETTERED,
      eventType: WebhookEventType.ORDER_COMPLETED,
      subscriptionId: aDelivery.id,
    });
    expect(response.body.payload).toMatchObject({
      items: [
        {
          id: aDelivery.id,
          status: 'DeadLettered',
          partnerId: aSummary.partnerId,
          environment: 'live',
          orderGlobalId: 'ORD-1',
        },
      ],
      pagination: { totalCount: 1 },
    });
    expect((await backoffice.send('GET', '/webhook-deliveries?status=Dead')).body.state).toBe(
      'VALIDATION_FAILED',
    );
  });

  it('when one is read, then it shows what it sends, and the audit names its order (spec §18.4)', async () => {
    const response = await backoffice.send('GET', `/webhook-deliveries/${aDelivery.id}`);
    expect(response.body.payload).toMatchObject({
      id: aDelivery.id,
      orderGlobalId: 'ORD-1',
      body: { eventType: 'order.completed' },
    });
    expect(backoffice.rpcs()).toEqual(['getAnyWebhookDelivery', 'recordAuditEntry']);
    expect(backoffice.calls[1]?.request).toMatchObject({ action: 'order.read', subject: 'ORD-1' });
    backoffice.fakes.of('notifier').fail('getAnyWebhookDelivery', 'NOT_FOUND_WEBHOOK_DELIVERY');
    expect((await backoffice.send('GET', `/webhook-deliveries/${aDelivery.id}`)).status).toBe(404);
  });

  it('when a dead letter is sent again, then the audit names it and its partner before it is sent', async () => {
    const response = await backoffice.send('POST', `/webhook-deliveries/${aDelivery.id}/redeliver`);
    expect(response.body.payload).toMatchObject({ status: 'Pending', eventId: aDelivery.eventId });
    expect(backoffice.rpcs()).toEqual([
      'getAnyWebhookDelivery',
      'recordAuditEntry',
      'redeliverAnyWebhookDelivery',
    ]);
    expect(backoffice.calls[1]).toMatchObject({
      call: { operator: 'olga' },
      request: { action: 'webhook-delivery.redeliver', subject: aDelivery.id, partnerId: aSummary.partnerId },
    });
  });
});
