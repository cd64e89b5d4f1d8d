import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  bundleService,
  createTestDatabase,
  eventually,
  spawnService,
  type Program,
  type ServiceProcess,
  type TestDatabase,
} from '@reseller/testing';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addWebhookEvents } from '../src/delivery/webhook-event.repository';
import { Receiver } from './receiver';
import { eventFor, eventsFor, keptDeliveries, MIGRATIONS, SEALING_KEYS, subscribe } from './start-delivery';

let database: TestDatabase;
let bundle: Program;
let receiver: Receiver;
let doomed: ServiceProcess | undefined;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  bundle = await bundleService(path.join(__dirname, '..'));
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM webhook_subscriptions');
  receiver = await Receiver.start();
});
afterEach(async () => {
  await doomed?.kill();
  await receiver.stop();
});
afterAll(async () => {
  await bundle.remove();
  await database.drop();
});

async function spawn(): Promise<ServiceProcess> {
  doomed = await spawnService(bundle.file, {
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: database.url,
    WEBHOOK_SECRET_KEYS: SEALING_KEYS,
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8',
    WEBHOOK_RETRY_BASE_MS: '1',
    WEBHOOK_RETRY_CAP_MS: '10',
  });
  return doomed;
}

/** Lets the time of every lease pass at once. */
const lapseLeases = (): Promise<unknown> =>
  database.pool.query('UPDATE webhook_leases SET lease_until = clock_timestamp()');

const fail = (): void => {
  receiver.behaviour = (_received, response) => void response.writeHead(500).end();
};

async function expectEightAttempts(subscriptionId: string): Promise<void> {
  await eventually(async () =>
    expect(await keptDeliveries(database, subscriptionId)).toMatchObject([{ status: 'DeadLettered' }]),
  );
  const [kept] = await keptDeliveries(database, subscriptionId);
  expect(kept?.attempts.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
}

describe('a notifier that is killed', () => {
  it('when it dies between the claim and the request, then the attempt is made once its lease has lapsed, and eight are recorded', async () => {
    const { id, partnerId } = await subscribe(database, receiver.url());
    await addWebhookEvents(database.servicePool, [eventFor(partnerId)]);
    // The claim of a process that died before it sent anything.
    // It holds for ten minutes, however slow the machine is.
    await database.pool.query('SELECT webhook_claim_due(10, 8, 600000, NULL, NULL, NULL)');
    fail();
    await spawn();
    // Its lease holds: another event overtakes it.
    const other = await subscribe(database, receiver.url('/other'));
    await addWebhookEvents(database.servicePool, [eventFor(other.partnerId)]);
    await expectEightAttempts(other.id);
    expect((await keptDeliveries(database, id))[0]?.attempts).toEqual([]);
    await lapseLeases();
    await expectEightAttempts(id);
    expect(receiver.received.filter(({ path }) => path === '/hook')).toHaveLength(8);
  });

  it('when it dies while the receiver is at work, then that attempt is made again under its number, and eight are recorded', async () => {
    const { id, partnerId } = await subscribe(database, receiver.url());
    const first = await spawn();
    receiver.behaviour = () => undefined;
    await addWebhookEvents(database.servicePool, [eventFor(partnerId)]);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await first.kill();
    fail();
    await lapseLeases();
    await spawn();
    await expectEightAttempts(id);
    expect(receiver.received).toHaveLength(9);
  });

  it('when it dies between the response and its record, then that attempt is made again under its number, and eight are recorded', async () => {
    const { id, partnerId } = await subscribe(database, receiver.url());
    const first = await spawn();
    const blocker = await database.pool.connect();
    receiver.behaviour = (_received, response) => {
      // Nothing can be recorded while this lock is held.
      void blocker.query('BEGIN').then(async () => {
        await blocker.query('LOCK TABLE webhook_pending_deliveries IN SHARE ROW EXCLUSIVE MODE');
        response.writeHead(500).end();
      });
    };
    await addWebhookEvents(database.servicePool, [eventFor(partnerId)]);
    await eventually(async () => {
      const { rows } = await database.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%webhook_record_results%' AND datname = current_database() AND pid <> pg_backend_pid()",
      );
      expect(rows).toHaveLength(1);
    });
    await first.kill();
    // The server would carry on with a statement whose sender is gone: that is the response that was recorded after all.
    await database.pool.query(
      "SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity WHERE application_name = 'notifier' AND datname = current_database()",
    );
    await blocker.query('ROLLBACK');
    blocker.release();
    fail();
    await lapseLeases();
    await spawn();
    await expectEightAttempts(id);
    expect(receiver.received).toHaveLength(9);
  });

  it('when it dies again and again under load, then every event arrives or has exactly eight attempts', async () => {
    receiver.behaviour = (_received, response) =>
      void response.writeHead(Math.random() < 0.5 ? 200 : 500).end();
    const subscriptions = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => subscribe(database, receiver.url(`/${n}`))),
    );
    for (const { partnerId } of subscriptions)
      await addWebhookEvents(database.servicePool, eventsFor(partnerId, 200));
    for (let deaths = 0; deaths < 5; deaths += 1) {
      const running = await spawn();
      const before = receiver.received.length;
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(before + 50));
      await pause(Math.random() * 20);
      await running.kill();
      await lapseLeases();
    }
    await spawn();
    await eventually(async () =>
      expect((await database.pool.query('SELECT 1 FROM webhook_pending_deliveries LIMIT 1')).rows).toEqual(
        [],
      ),
    );
    const kept = await keptDeliveries(database);
    const ours = kept.filter(({ subscription_id }) => subscriptions.some(({ id }) => id === subscription_id));
    expect(ours).toHaveLength(1_200);
    const wrong = ours.filter(({ status, attempts }) => {
      const isCounted = attempts.every(({ attemptNumber }, at) => attemptNumber === at + 1);
      const isEnded =
        status === 'Delivered' ? attempts.at(-1)?.responseStatus === 200 : attempts.length === 8;
      return !isCounted || !isEnded;
    });
    expect(wrong).toEqual([]);
  }, 180_000);
});
