import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  WebhookDeliveryStatus,
  WebhookErrorSummary,
  WebhookEventType,
  type WebhookDelivery,
} from '@reseller/contracts';
import { withTransaction } from '@reseller/database';
import { WEBHOOK_EVENTS } from '@reseller/presenters';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { v4 as uuid } from 'uuid';
import type { DeliveryFeature } from '../src/delivery/create-delivery';
import { createDeliveryOperations } from '../src/delivery/delivery.handler';
import { PartnerRepository } from '../src/partner/partner.repository';
import { DeliveryRepository } from '../src/delivery/delivery.repository';
import { SubscriptionRepository } from '../src/subscription/subscription.repository';
import { isSignedWith, Receiver } from './receiver';
import {
  eventFor,
  eventsFor,
  keptDeliveries,
  MIGRATIONS,
  prismaOf,
  startDelivery,
  subscribe,
  type TestSubscription,
} from './start-delivery';

const OPERATOR = { requestId: 'r', operator: 'Olga' };

let database: TestDatabase;
let receiver: Receiver;
let delivery: DeliveryFeature;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  // A statement of the test before may still be ending on the server.
  await withTransaction(database.pool, (tx) =>
    tx.query(
      `TRUNCATE webhook_subscriptions, webhook_finished_deliveries, webhook_delivery_counts, webhook_delivery_minutes,
         webhook_counts CASCADE`,
    ),
  );
  receiver = await Receiver.start();
  delivery = startDelivery(database);
});
afterEach(async () => {
  await delivery.consumer.stop();
  await receiver.stop();
});
afterAll(() => database.drop());

const operations = (): ReturnType<typeof createDeliveryOperations> =>
  createDeliveryOperations({
    subscriptions: new SubscriptionRepository(prismaOf(database)),
    deliveries: new DeliveryRepository(database.servicePool),
    partners: new PartnerRepository(database.servicePool),
    wake: () => undefined,
  });

const reply = (status: number): void => {
  receiver.behaviour = (_received, response) => void response.writeHead(status).end();
};

const pause = (id: string): Promise<unknown> =>
  database.pool.query('UPDATE webhook_subscriptions SET is_active = false WHERE id = $1', [id]);

async function list(
  subscription: TestSubscription,
  more: {
    page?: number;
    pageSize?: number;
    status?: WebhookDeliveryStatus;
    eventType?: WebhookEventType;
  } = {},
): Promise<{ deliveries: WebhookDelivery[]; total: number }> {
  const { page = 1, pageSize = 20 } = more;
  const { status = WebhookDeliveryStatus.UNSPECIFIED, eventType = WebhookEventType.UNSPECIFIED } = more;
  const request = { subscriptionId: subscription.id, page: { page, pageSize }, status, eventType };
  const found = await delivery.handlers.listWebhookDeliveries(request, subscription.call);
  return { deliveries: found.deliveries, total: found.page?.totalCount ?? -1 };
}

const fire = async (subscription: TestSubscription, eventType = WebhookEventType.ORDER_COMPLETED) =>
  (await delivery.handlers.testFireWebhook({ subscriptionId: subscription.id, eventType }, subscription.call))
    .delivery as WebhookDelivery;

const redeliver = async (subscription: TestSubscription, deliveryId: string) =>
  (
    await delivery.handlers.redeliverWebhookDelivery(
      { subscriptionId: subscription.id, deliveryId },
      subscription.call,
    )
  ).delivery as WebhookDelivery;

/** An event that was delivered, or given up at once. */
async function finished(subscription: TestSubscription, status = 'Delivered'): Promise<string> {
  await delivery.record([eventFor(subscription.partnerId)]);
  return eventually(async () => {
    const [kept] = (await keptDeliveries(database, subscription.id)).filter((one) => one.status === status);
    expect(kept).toBeDefined();
    return kept!.id;
  });
}

const passSecond = (): Promise<unknown> =>
  database.pool.query("UPDATE webhook_redeliveries SET last_at = last_at - interval '1 second'");

describe('a test delivery (spec §10.7)', () => {
  it('when it succeeds, then it is Delivered after one signed attempt that says it is a test, for every type', async () => {
    const subscription = await subscribe(database, receiver.url());
    const types = WEBHOOK_EVENTS.map(({ type }) => type);
    for (const type of types)
      expect(await fire(subscription, type)).toMatchObject({
        status: WebhookDeliveryStatus.DELIVERED,
        eventType: type,
      });
    expect(receiver.received).toHaveLength(types.length);
    for (const received of receiver.received) {
      expect(received.headers['x-service-test']).toBe('true');
      expect(isSignedWith(subscription.secret, received)).toBe(true);
      const envelope = JSON.parse(received.body.toString()) as Record<string, unknown>;
      expect(Object.keys(envelope)).toEqual(['eventId', 'eventType', 'occurredAt', 'data']);
      expect(envelope).toMatchObject({
        eventId: received.headers['x-service-event-id'],
        eventType: received.headers['x-service-event-type'],
        data: { partnerId: subscription.partnerId },
      });
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(
      types.length,
    );
  });

  it('when it fails, then it is DeadLettered with one attempt and never tried again', async () => {
    const subscription = await subscribe(database, receiver.url());
    reply(503);
    expect(await fire(subscription)).toMatchObject({
      status: WebhookDeliveryStatus.DEAD_LETTERED,
      isTest: true,
      attemptCount: 1,
      responseStatus: 503,
      errorSummary: WebhookErrorSummary.DELIVERY_FAILED,
      nextAttemptAt: undefined,
      attempts: [{ attemptNumber: 1, responseStatus: 503 }],
    });
    expect(await list(subscription)).toMatchObject({ total: 1, deliveries: [{ isTest: true }] });
    const { rows } = await database.pool.query(
      'SELECT FROM webhook_last_attempts WHERE subscription_id = $1',
      [subscription.id],
    );
    expect(rows).toEqual([]);
  });

  it('when the subscription is paused and eight attempts hang, then the test goes out all the same', async () => {
    const subscription = await subscribe(database, receiver.url());
    receiver.behaviour = (received, response) => {
      if (received.headers['x-service-test']) response.end();
    };
    await delivery.record(eventsFor(subscription.partnerId, 9));
    await eventually(() => expect(receiver.received).toHaveLength(8));
    await pause(subscription.id);
    expect(await fire(subscription)).toMatchObject({ status: WebhookDeliveryStatus.DELIVERED });
  });
});

describe('sending an event again (spec §10.6)', () => {
  it('when a delivery has ended, then a new one of the same event is made and sent, and the old one stays', async () => {
    const subscription = await subscribe(database, receiver.url());
    const id = await finished(subscription);
    const again = await redeliver(subscription, id);
    expect(again).toMatchObject({ status: WebhookDeliveryStatus.PENDING, attemptCount: 0, attempts: [] });
    expect(again.id).not.toBe(id);
    await eventually(async () =>
      expect(await list(subscription, { status: WebhookDeliveryStatus.DELIVERED })).toMatchObject({
        total: 2,
        deliveries: [
          { id: again.id, eventId: again.eventId },
          { id, eventId: again.eventId },
        ],
      }),
    );
    expect(receiver.received[1]?.body.equals(receiver.received[0]!.body)).toBe(true);
  });

  it('when many ask within a second, partner and operator, then one is made and the rest are RATE_LIMITED', async () => {
    const subscription = await subscribe(database, receiver.url());
    const id = await finished(subscription);
    const results = await Promise.allSettled([
      ...Array.from({ length: 8 }, () => redeliver(subscription, id)),
      ...Array.from(
        { length: 8 },
        async () => (await operations().redeliverAnyWebhookDelivery({ deliveryId: id }, OPERATOR)).delivery!,
      ),
    ]);
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const madeAt = made.map(({ createdAt }) => createdAt!.getTime()).sort((a, b) => a - b);
    expect(madeAt.length).toBeGreaterThanOrEqual(1);
    // A slow machine may take longer than a second over all of them; then another one is due.
    for (const [at, next] of madeAt.slice(1).entries()) expect(next - madeAt[at]!).toBeGreaterThan(990);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSeconds: 1 } });
    await passSecond();
    await expect(redeliver(subscription, id)).resolves.toMatchObject({
      status: WebhookDeliveryStatus.PENDING,
    });
  });

  it('when the subscription is paused, then it waits for the resume', async () => {
    const subscription = await subscribe(database, receiver.url());
    const id = await finished(subscription);
    await pause(subscription.id);
    const again = await redeliver(subscription, id);
    const other = await subscribe(database, receiver.url('/other'));
    await finished(other);
    expect((await keptDeliveries(database, subscription.id)).find((one) => one.id === again.id)?.status).toBe(
      'Pending',
    );
    await database.pool.query('UPDATE webhook_subscriptions SET is_active = true');
    await eventually(() => expect(receiver.received).toHaveLength(3));
  });

  it('when the subscription is gone, then an operator hears so', async () => {
    const subscription = await subscribe(database, receiver.url());
    const id = await finished(subscription);
    await database.pool.query('DELETE FROM webhook_subscriptions');
    await expect(
      operations().redeliverAnyWebhookDelivery({ deliveryId: id }, OPERATOR),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND_WEBHOOK_SUBSCRIPTION',
    });
  });
});

describe('lists of deliveries', () => {
  it('when deliveries are read page by page, with and without filters, then each list is whole, newest first, and its total exact', async () => {
    const subscription = await subscribe(database, receiver.url(), {
      eventTypes: ['order.completed', 'order.failed'],
    });
    let count = 0;
    receiver.behaviour = (_received, response) =>
      void response.writeHead((count += 1) % 3 === 0 ? 500 : 200).end();
    for (let at = 0; at < 30; at += 1)
      await delivery.record([
        eventFor(subscription.partnerId, at % 4 === 0 ? 'order.failed' : 'order.completed'),
      ]);
    await eventually(() => expect(receiver.received).toHaveLength(30));
    await eventually(async () =>
      expect((await keptDeliveries(database)).filter(({ attempts }) => attempts.length > 0)).toHaveLength(30),
    );
    await fire(subscription);
    const all = (await keptDeliveries(database, subscription.id)).reverse();
    const statuses = {
      Pending: WebhookDeliveryStatus.PENDING,
      Delivered: WebhookDeliveryStatus.DELIVERED,
      DeadLettered: WebhookDeliveryStatus.DEAD_LETTERED,
    };
    for (const status of [undefined, 'Pending', 'Delivered', 'DeadLettered'] as const)
      for (const eventType of [undefined, WebhookEventType.ORDER_COMPLETED, WebhookEventType.ORDER_FAILED]) {
        const expected = (await list(subscription, { pageSize: 100 })).deliveries
          .filter((one) => status === undefined || one.status === statuses[status])
          .filter((one) => eventType === undefined || one.eventType === eventType)
          .map(({ id }) => id);
        const found: string[] = [];
        for (let page = 1; page <= 6; page += 1) {
          const part = await list(subscription, {
            page,
            pageSize: 7,
            ...(status && { status: statuses[status] }),
            ...(eventType && { eventType }),
          });
          expect(part.total).toBe(expected.length);
          found.push(...part.deliveries.map(({ id }) => id));
        }
        expect(found).toEqual(expected);
      }
    expect((await list(subscription, { pageSize: 100 })).deliveries.map(({ id }) => id)).toEqual(
      all.map(({ id }) => id),
    );
  });

  it('when an operator lists all, or those of an order, then every partner’s are there', async () => {
    const one = await subscribe(database, receiver.url());
    const two = await subscribe(database, receiver.url());
    const orderGlobalId = `TOP-${uuid()}`;
    await delivery.record([
      eventFor(one.partnerId, 'order.completed', orderGlobalId),
      eventFor(two.partnerId),
    ]);
    const call = OPERATOR;
    await eventually(async () => {
      const all = await operations().listAllWebhookDeliveries(
        {
          page: { page: 1, pageSize: 10 },
          status: WebhookDeliveryStatus.DELIVERED,
          eventType: WebhookEventType.UNSPECIFIED,
        },
        call,
      );
      expect(all).toMatchObject({
        page: { totalCount: 2 },
        deliveries: [{ partnerId: two.partnerId }, { partnerId: one.partnerId, orderGlobalId }],
      });
    });
    expect(await operations().listDeliveriesOfOrder({ orderGlobalId }, call)).toMatchObject({
      deliveries: [{ subscriptionId: one.id, status: WebhookDeliveryStatus.DELIVERED }],
    });
    expect(await operations().listDeliveriesOfOrder({ orderGlobalId: 'none' }, call)).toEqual({
      deliveries: [],
    });
  });
});
