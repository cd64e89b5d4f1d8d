import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectSuccess, type ApiResponse } from '../src/clients/response';
import { newTopup, phoneEnding } from '../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import type { PartnerClient } from '../src/clients/partner-client';
import type {
  Page,
  TopupOrder,
  WebhookDelivery,
  WebhookSubscription,
  WebhookWithSecret,
} from '../src/clients/resources';
import { signatureOf, startReceiver, type WebhookReceiver } from '../src/clients/webhook-receiver';
import { readPlatformFile } from '../src/platform/platform-file';

const operator = new OperatorClient(readPlatformFile());
const ALL_TYPES = ['order.completed', 'order.failed', 'order.cancelled'];

let receiver: WebhookReceiver;
let partner: TestPartner;
const receivers: WebhookReceiver[] = [];
beforeEach(async () => {
  receiver = await anotherReceiver();
  partner = await operator.newPartner({ deposit: 200 });
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((one) => one.stop()));
});
afterAll(() => Promise.all(receivers.map((one) => one.stop())));

async function anotherReceiver(): Promise<WebhookReceiver> {
  const started = await startReceiver();
  receivers.push(started);
  return started;
}

async function subscribe(
  client: PartnerClient,
  { url = receiver.url, eventTypes = ALL_TYPES }: { url?: string; eventTypes?: string[] } = {},
): Promise<{ id: string; secret: string }> {
  const response = await client.call<WebhookWithSecret>('/webhooks', { body: { url, eventTypes } });
  if (response.status !== 201) throw new Error(response.text);
  return { id: response.payload.subscription.id, secret: response.payload.secret };
}

const deliveriesOf = async (
  client: PartnerClient,
  id: string,
  query = '',
): Promise<readonly WebhookDelivery[]> =>
  expectSuccess(await client.call<Page<WebhookDelivery>>(`/webhooks/${id}/deliveries${query}`)).items;

/** Reads until the check passes: a receiver has its webhook a moment before the result is recorded. */
async function until<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  const giveUpAt = performance.now() + 20_000;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (performance.now() > giveUpAt) throw new Error(`still ${JSON.stringify(value)}`);
    await pause(50);
  }
}

const outcome = ({ status, state }: ApiResponse<unknown>): [number, string] => [status, state];

describe('the delivery of an order’s events (spec §10.3, §10.4, §10.8)', () => {
  test('when an order is completed, then one signed event comes in, and its record and the subscription say so', async () => {
    const { id, secret } = await subscribe(partner.sandbox);
    const order = expectSuccess(await partner.sandbox.topup(newTopup({ amount: 25.5 })));
    const [webhook] = await receiver.waitFor(1);
    expect(webhook).toMatchObject({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-event-id': webhook?.event.eventId,
        'x-service-event-type': 'order.completed',
        'x-service-timestamp': expect.stringMatching(/^\d{10}$/),
        'x-service-signature': signatureOf(webhook!, secret),
      },
    });
    expect(webhook?.headers['x-service-test']).toBeUndefined();
    expect(webhook?.event).toEqual({
      eventId: expect.any(String),
      eventType: 'order.completed',
      occurredAt: expect.stringMatching(/Z$/),
      data: {
        orderGlobalId: order.orderGlobalId,
        partnerId: partner.id,
        productType: 'Topup',
        externalReference: order.externalReference,
        amount: 25.5,
        currency: 'SAR',
        failureCode: null,
        status: 'Completed',
        customerRef: null,
      },
    });
    const [delivery] = await until(
      () => deliveriesOf(partner.sandbox, id),
      ([first]) => first?.status === 'Delivered',
    );
    expect(delivery).toMatchObject({
      subscriptionId: id,
      eventId: webhook?.event.eventId,
      eventType: 'order.completed',
      attemptCount: 1,
      nextAttemptAt: null,
      responseStatus: 204,
      errorSummary: null,
      isTest: false,
      attempts: [{ attemptNumber: 1, responseStatus: 204, errorSummary: null }],
    });
    const read = await partner.sandbox.call<WebhookSubscription>(`/webhooks/${id}`);
    expect(expectSuccess(read)).toMatchObject({
      lastDeliveryStatus: 'Delivered',
      lastDeliveryAt: delivery?.lastAttemptAt,
    });
  });

  test.each([
    ['0001', ['order.failed Failed VENDOR_REFUSED']],
    ['0003', ['order.completed Processing null', 'order.completed Completed null']],
    ['0004', ['order.completed Processing null', 'order.failed Failed VENDOR_REFUSED']],
    ['0007', ['order.completed Completed null']],
  ])(
    'when a phone ends in %s, then the events are %j, each under an id of its own',
    async (ending, expectedEvents) => {
      await subscribe(partner.sandbox);
      await partner.sandbox.topup(newTopup({ phoneNumber: phoneEnding(ending) }));
      const webhooks = await receiver.waitFor(expectedEvents.length);
      const lines = webhooks.map(({ event: { eventType, data } }) =>
        [eventType, data['status'], data['failureCode']].map(String).join(' '),
      );
      expect(lines.sort()).toEqual([...expectedEvents].sort());
      expect(new Set(webhooks.map(({ event }) => event.eventId)).size).toBe(expectedEvents.length);
    },
  );

  test('when an operator resolves and reverses an order, then only these two changes are sent', async () => {
    await subscribe(partner.sandbox);
    const order = expectSuccess<TopupOrder>(
      await partner.sandbox.topup(newTopup({ phoneNumber: phoneEnding('0005') })),
    );
    expect(order.status).toBe('InterventionRequired');
    await operator.post(`/orders/${order.orderGlobalId}/resolve`, { outcome: 'Completed', notes: 'checked' });
    await receiver.waitFor(1);
    await operator.post(`/orders/${order.orderGlobalId}/reverse`, { notes: 'by mistake' });
    const webhooks = await receiver.waitFor(2);
    expect(webhooks.map(({ event }) => [event.eventType, event.data['status']])).toEqual([
      ['order.completed', 'Completed'],
      ['order.cancelled', 'Reversed'],
    ]);
  });
});

describe('who is notified', () => {
  test('when an order is placed in the sandbox, then neither live nor another partner nor an unsubscribed type hears of it', async () => {
    const [elsewhere, stranger] = [await anotherReceiver(), await operator.newPartner()];
    await subscribe(partner.live, { url: elsewhere.url });
    await subscribe(stranger.sandbox, { url: elsewhere.url });
    await subscribe(partner.sandbox, { url: elsewhere.url, eventTypes: ['order.failed'] });
    const { id: paused } = await subscribe(partner.sandbox, { url: elsewhere.url });
    await partner.sandbox.call(`/webhooks/${paused}/active`, { method: 'PATCH', body: { isActive: false } });
    const [one, two] = [await subscribe(partner.sandbox), await subscribe(partner.sandbox)];
    expectSuccess(await partner.sandbox.topup(newTopup()));
    const [first, second] = await receiver.waitFor(2);
    expect(first?.body).toBe(second?.body);
    const signatures = receiver.received.map(({ headers }) => String(headers['x-service-signature']));
    const expected = [signatureOf(first!, one.secret), signatureOf(second!, two.secret)];
    const swapped = [signatureOf(first!, two.secret), signatureOf(second!, one.secret)];
    expect([expected, swapped]).toContainEqual(signatures);
    // Only once the resumed one has heard of the next order is it certain that it heard nothing of the first.
    await partner.sandbox.call(`/webhooks/${paused}/active`, { method: 'PATCH', body: { isActive: true } });
    const next = expectSuccess(await partner.sandbox.topup(newTopup()));
    const heard = await elsewhere.waitFor(1);
    expect(heard.map(({ event }) => event.data['orderGlobalId'])).toEqual([next.orderGlobalId]);
  });

  test('when another partner or environment asks for deliveries, tests or redeliveries, then there is no such subscription', async () => {
    const { id } = await subscribe(partner.sandbox);
    expectSuccess(await partner.sandbox.topup(newTopup()));
    const [delivery] = await until(
      () => deliveriesOf(partner.sandbox, id),
      ([first]) => first?.status === 'Delivered',
    );
    const stranger = await operator.newPartner();
    for (const client of [stranger.sandbox, partner.live]) {
      const responses = [
        await client.call(`/webhooks/${id}/deliveries`),
        await client.call(`/webhooks/${id}/test-fire`, { body: { eventType: 'order.failed' } }),
        await client.call(`/webhooks/${id}/deliveries/${delivery!.id}/redeliver`, { method: 'POST' }),
      ];
      expect(responses.map(outcome)).toEqual(responses.map(() => [404, 'NOT_FOUND_WEBHOOK_SUBSCRIPTION']));
    }
    expect(receiver.received).toHaveLength(1);
  });
});

describe('tests and redeliveries (spec §10.6, §10.7)', () => {
  test('when a test is fired on a paused subscription, then one signed example comes in and nothing else is touched', async () => {
    const { id, secret } = await subscribe(partner.sandbox, { eventTypes: ['order.failed'] });
    await partner.sandbox.call(`/webhooks/${id}/active`, { method: 'PATCH', body: { isActive: false } });
    const fire = (eventType: string) =>
      partner.sandbox.call<WebhookDelivery>(`/webhooks/${id}/test-fire`, { body: { eventType } });
    const delivered = expectSuccess(await fire('variant.back-in-stock'));
    expect(delivered).toMatchObject({
      eventType: 'variant.back-in-stock',
      status: 'Delivered',
      attemptCount: 1,
      isTest: true,
      nextAttemptAt: null,
    });
    const [webhook] = await receiver.waitFor(1);
    expect(webhook?.headers).toMatchObject({
      'x-service-test': 'true',
      'x-service-signature': signatureOf(webhook!, secret),
    });
    expect(webhook?.event).toMatchObject({ eventId: delivered.eventId, data: { partnerId: partner.id } });

    receiver.response = { status: 500 };
    const failed = expectSuccess(await fire('order.failed'));
    expect(failed).toMatchObject({
      status: 'DeadLettered',
      attemptCount: 1,
      responseStatus: 500,
      errorSummary: 'Delivery failed',
    });
    const read = await partner.sandbox.call<WebhookSubscription>(`/webhooks/${id}`);
    expect(expectSuccess(read)).toMatchObject({ lastDeliveryAt: null, lastDeliveryStatus: null });
    const again = await partner.sandbox.call(`/webhooks/${id}/deliveries/${failed.id}/redeliver`, {
      method: 'POST',
    });
    expect(outcome(again)).toEqual([409, 'CONFLICT_DELIVERY_NOT_FINAL']);
  });

  test('when a delivery is sent again, then the same bytes go out under the secret of now, at most once a second', async () => {
    const { id } = await subscribe(partner.sandbox);
    expectSuccess(await partner.sandbox.topup(newTopup()));
    const [delivery] = await until(
      () => deliveriesOf(partner.sandbox, id),
      ([first]) => first?.status === 'Delivered',
    );
    const rotated = await partner.sandbox.call<WebhookWithSecret>(`/webhooks/${id}/rotate-secret`, {
      method: 'POST',
    });
    const redeliver = () =>
      partner.sandbox.call<WebhookDelivery>(`/webhooks/${id}/deliveries/${delivery!.id}/redeliver`, {
        method: 'POST',
      });
    const [one, two] = await Promise.all([redeliver(), redeliver()]);
    const [accepted, refused] = one.status === 200 ? [one, two] : [two, one];
    expect([outcome(refused), refused.headers.get('retry-after')]).toEqual([[429, 'RATE_LIMITED'], '1']);
    expect(expectSuccess(accepted)).toMatchObject({
      eventId: delivery?.eventId,
      status: 'Pending',
      attemptCount: 0,
    });
    expect(accepted.payload.id).not.toBe(delivery?.id);
    const [first, second] = await receiver.waitFor(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-service-signature']).toBe(signatureOf(second!, rotated.payload.secret));
    const filtered = await deliveriesOf(partner.sandbox, id, '?eventType=order.failed');
    expect(filtered).toEqual([]);
  });

  test('when a delivery is unknown, then it is NOT_FOUND_WEBHOOK_DELIVERY', async () => {
    const { id } = await subscribe(partner.sandbox);
    const response = await partner.sandbox.call(`/webhooks/${id}/deliveries/${randomUUID()}/redeliver`, {
      method: 'POST',
    });
    expect(outcome(response)).toEqual([404, 'NOT_FOUND_WEBHOOK_DELIVERY']);
  });

  test('when a receiver fails or redirects, then it is Delivery failed, tried again later and not followed', async () => {
    const target = await anotherReceiver();
    receiver.response = { status: 302, headers: { location: target.url } };
    const { id } = await subscribe(partner.sandbox);
    expectSuccess(await partner.sandbox.topup(newTopup()));
    const [delivery] = await until(
      () => deliveriesOf(partner.sandbox, id),
      ([first]) => first?.attemptCount === 1,
    );
    expect(delivery).toMatchObject({
      status: 'Pending',
      responseStatus: 302,
      errorSummary: 'Delivery failed',
      nextAttemptAt: expect.stringMatching(/Z$/),
    });
    expect(target.received).toEqual([]);
  });
});

describe('the diagnosis of a receiver (spec §17.3)', () => {
  test('when one is under way, then another waits its turn; nobody else sees it, and it is no delivery', async () => {
    const { id } = await subscribe(partner.sandbox);
    const path = `/webhooks/${id}`;
    const diagnose = (client: PartnerClient) => client.call(`${path}/diagnose`, { method: 'POST' });
    expect(outcome(await partner.sandbox.call(`${path}/diagnosis`))).toEqual([
      404,
      'NOT_FOUND_WEBHOOK_DIAGNOSIS',
    ]);
    expect(outcome(await diagnose(partner.live))).toEqual([404, 'NOT_FOUND_WEBHOOK_SUBSCRIPTION']);
    let goOn = (): void => undefined;
    receiver.held = new Promise((resolve) => (goOn = resolve));
    const first = diagnose(partner.sandbox);
    await receiver.waitFor(1);
    const refused = await diagnose(partner.sandbox);
    goOn();
    expect(outcome(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const made = await first;
    expect([made.status, made.payload]).toEqual([
      200,
      expect.objectContaining({ subscriptionId: id, grade: 'Fail' }),
    ]);
    expect((await partner.sandbox.call(`${path}/diagnosis`)).payload).toEqual(made.payload);
    expect(receiver.received.map(({ headers }) => headers['x-service-test'])).toEqual(Array(5).fill('true'));
    expect(await deliveriesOf(partner.sandbox, id)).toEqual([]);
  });
});
