import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment, OrderCompleted, OrderStatus, ProductType, WebhookEventType } from '@reseller/contracts';
import { createPostgresEventBus, type DomainEvent, type EventBus } from '@reseller/messaging';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { MIGRATIONS, someCall, startNotifier, type RunningNotifier } from './start-notifier';

const TOPIC = 'reseller.orders.order.v1';

let database: TestDatabase;
let bus: EventBus;
let notifier: RunningNotifier;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bus = createPostgresEventBus({ connectionString: database.url, log: silentLog });
  // Nobody listens there: what is sent stays pending.
  notifier = await startNotifier(database, { WEBHOOK_ALLOWED_PRIVATE_TARGETS: '127.0.0.1:1' });
});
afterAll(async () => {
  await notifier.stop();
  await bus.close();
  await database.drop();
});

type Call = ReturnType<typeof someCall>;

function completed(call: Call, changes: Partial<DomainEvent> = {}): DomainEvent {
  const orderId = uuidv7();
  const payload = OrderCompleted.encode({
    order: {
      orderId,
      orderGlobalId: `TU-${orderId}`,
      partnerId: call.partner.partnerId,
      environment: call.partner.environment,
      productType: ProductType.TOPUP,
      externalReference: 'INV-1',
      amount: '25.50',
      currency: 'SAR',
      status: OrderStatus.COMPLETED,
      failureCode: undefined,
      customerRef: undefined,
    },
  }).finish();
  return {
    eventId: uuidv7(),
    topic: TOPIC,
    type: 'reseller.orders.v1.OrderCompleted',
    aggregateId: orderId,
    aggregateSeq: '1',
    occurredAt: new Date('2026-01-15T09:30:00Z'),
    payload: Buffer.from(payload),
    headers: {},
    ...changes,
  };
}

async function subscribe(call: Call, types = [WebhookEventType.ORDER_COMPLETED]): Promise<string> {
  const request = { url: 'http://127.0.0.1:1/', eventTypes: types };
  return (await notifier.webhooks.createWebhook(request, call)).subscription?.id ?? '';
}

/** To whom an event goes, once it has been taken in. */
const receiversOf = (eventId: string): Promise<string[]> =>
  eventually(async () => {
    const known = await database.pool.query('SELECT 1 FROM webhook_events WHERE event_id = $1', [eventId]);
    expect(known.rowCount).toBe(1);
    const { rows } = await database.pool.query<{ subscription_id: string }>(
      'SELECT subscription_id FROM webhook_deliveries WHERE event_id = $1 ORDER BY subscription_id',
      [eventId],
    );
    return rows.map((row) => row.subscription_id);
  });

describe('taking events in', () => {
  it('when an order changes, then every active subscription that wants it gets one delivery of the same event', async () => {
    const call = someCall();
    const wanting = [await subscribe(call), await subscribe(call)].sort();
    await subscribe(call, [WebhookEventType.ORDER_FAILED]);
    await subscribe(someCall());
    await subscribe(someCall(Environment.LIVE, call.partner.partnerId));
    const subscriptionId = await subscribe(call);
    await notifier.webhooks.setWebhookActive({ subscriptionId, isActive: false }, call);

    const event = completed(call);
    await bus.publish([event]);
    expect(await receiversOf(event.eventId)).toEqual(wanting);
    const { rows } = await database.pool.query<{ body: Buffer }>(
      'SELECT body FROM webhook_events WHERE event_id = $1',
      [event.eventId],
    );
    expect(JSON.parse(String(rows[0]?.body))).toMatchObject({
      eventId: event.eventId,
      eventType: 'order.completed',
      data: { amount: 25.5, status: 'Completed' },
    });
  });

  it('when an event arrives again, then nothing is delivered twice, nor to who subscribed in between', async () => {
    const call = someCall();
    const receiver = await subscribe(call);
    const event = completed(call);
    await bus.publish([event]);
    expect(await receiversOf(event.eventId)).toEqual([receiver]);
    await subscribe(call);
    // The bus drops an id it has; the outbox of another topic may bring it once more.
    await bus.publish([{ ...event, topic: 'reseller.scent.registration.v1' }]);
    const last = completed(call, { topic: 'reseller.scent.registration.v1', aggregateId: event.aggregateId });
    await bus.publish([last]);
    await receiversOf(last.eventId);
    expect(await receiversOf(event.eventId)).toEqual([receiver]);
  });

  it('when nobody knows a kind of event, or cannot read one, then those behind it are taken in all the same', async () => {
    const call = someCall();
    await subscribe(call);
    const aggregateId = uuidv7();
    const of = (seq: number, changes: Partial<DomainEvent>) =>
      completed(call, { aggregateId, aggregateSeq: String(seq), ...changes });
    const unknown = of(1, { type: 'reseller.orders.v1.OrderRenamed' });
    const poison = of(2, { payload: Buffer.from([0xff, 0xff]) });
    const nobodys = of(3, { payload: Buffer.from(OrderCompleted.encode({ order: undefined }).finish()) });
    const good = of(4, {});
    await bus.publish([unknown, poison, nobodys, good]);
    expect(await receiversOf(good.eventId)).toHaveLength(1);
    const dead = await database.pool.query(
      'SELECT event_id AS id, payload, reason, state FROM dead_letters WHERE aggregate_id = $1 ORDER BY aggregate_seq',
      [aggregateId],
    );
    expect(dead.rows).toEqual([
      { id: poison.eventId, payload: poison.payload, reason: 'Undecodable', state: 'Waiting' },
      { id: nobodys.eventId, payload: nobodys.payload, reason: 'RuleBroken', state: 'Waiting' },
    ]);
    const { rows } = await database.pool.query('SELECT 1 FROM webhook_events WHERE event_id = ANY($1)', [
      [unknown.eventId, poison.eventId, nobodys.eventId],
    ]);
    expect(rows).toEqual([]);
  });
});
