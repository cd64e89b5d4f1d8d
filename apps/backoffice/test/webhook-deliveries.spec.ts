import { describe, expect, it } from '@jest/globals';
import { WebhookDeliveryStatus } from '@reseller/contracts';
import { aDelivery, aSummary } from './support/samples';
import { useBackoffice } from './support/backoffice';

const backoffice = useBackoffice();

describe('webhook deliveries', () => {
  it('when dead letters are listed, then each names its partner, environment and order', async () => {
    const response = await backoffice.send('GET', '/webhook-deliveries?status=DeadLettered&pageSize=5');
    expect(backoffice.calls[0]?.request).toMatchObject({
      page: { page: 1, pageSize: 5 },
      status: WebhookDeliveryStatus.DEAD_LETTERED,
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
