import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { removeExpired } from '@reseller/database';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { DeliveryQueueRepository } from '../src/delivery/delivery-queue.repository';
import type { AttemptResult } from '../src/delivery/domain/attempt';
import { WEBHOOK_RETENTION } from '../src/delivery/housekeeping';
import { addWebhookEvents } from '../src/delivery/webhook-event.repository';
import type { Subscription } from '../src/subscription/domain/subscription';
import { SubscriptionRepository } from '../src/subscription/subscription.repository';
import { eventFor, MIGRATIONS, prismaOf, subscribe, type TestSubscription } from './start-delivery';

const LOOK_AT_ALL = { lanes: null, madeWithinMs: null };
const RULES = WEBHOOK_RETENTION.filter(({ table }) => table === 'webhook_last_attempts');
let database: TestDatabase;
let queue: DeliveryQueueRepository;
let subscriptions: SubscriptionRepository;
let subscribed: TestSubscription;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  queue = new DeliveryQueueRepository(database.servicePool);
  subscriptions = new SubscriptionRepository(prismaOf(database));
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM webhook_subscriptions; DELETE FROM webhook_last_attempts');
  subscribed = await subscribe(database, 'https://partner.example');
});
afterAll(() => database.drop());

/** An attempt that ended so long ago. */
async function attempt(errorSummary: AttemptResult['errorSummary'], endedMsAgo: number): Promise<void> {
  await addWebhookEvents(database.servicePool, [eventFor(subscribed.partnerId)]);
  const limits = { limit: 500, perSubscription: 8, leaseMs: 15_000, look: LOOK_AT_ALL };
  const { claimed } = await queue.claim(limits);
  const result = { responseStatus: null, durationMs: 0, errorSummary };
  const endedAt = performance.now() - endedMsAgo;
  const next = { status: errorSummary === null ? ('Delivered' as const) : ('DeadLettered' as const) };
  expect(await queue.recordResults(claimed.map((one) => ({ claimed: one, result, next, endedAt })))).toBe(1);
}

const shown = async (): Promise<Subscription[]> => {
  const scope = { ...subscribed.call.partner!, environment: 'sandbox' as const };
  const { subscriptions: listed } = await subscriptions.list(scope, undefined);
  expect(await subscriptions.find(scope, subscribed.id)).toEqual(listed[0]);
  return listed;
};

describe('the last attempt of a subscription', () => {
  it('when there was none, then it shows none', async () => {
    expect(await shown()).toMatchObject([{ lastDeliveryAt: null, lastDeliveryStatus: null }]);
  });

  it('when several ended, within a minute and not in order, then it shows the latest', async () => {
    await attempt('Timeout', 300_000);
    await attempt('Connection failed', 20_000);
    await attempt(null, 0);
    await attempt('Delivery failed', 20_000);
    const [one] = await shown();
    expect(one?.lastDeliveryStatus).toBe('Delivered');
    const { rows } = await database.pool.query(
      'SELECT max(attempted_at) AS "lastDeliveryAt" FROM webhook_last_attempts',
    );
    expect(rows).toEqual([{ lastDeliveryAt: one?.lastDeliveryAt }]);
  });

  it('when attempts are hours old, then only the last of each subscription is kept, and that of none that is gone', async () => {
    await attempt('Timeout', 3 * 3_600_000);
    await attempt(null, 2 * 3_600_000);
    await removeExpired(RULES, { pool: database.servicePool, log: silentLog });
    const { rows } = await database.pool.query('SELECT status FROM webhook_last_attempts');
    expect(rows).toEqual([{ status: 'Delivered' }]);
    expect(await shown()).toMatchObject([{ lastDeliveryStatus: 'Delivered' }]);
    await database.pool.query('DELETE FROM webhook_subscriptions');
    await removeExpired(RULES, { pool: database.servicePool, log: silentLog });
    expect((await database.pool.query('SELECT FROM webhook_last_attempts')).rowCount).toBe(0);
  });
});
