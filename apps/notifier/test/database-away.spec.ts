import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { applyMigrations, createPool } from '@reseller/database';
import {
  eventually,
  silentLog,
  startPostgres,
  type TestDatabase,
  type TestPostgres,
} from '@reseller/testing';
import type { DeliveryFeature } from '../src/delivery/create-delivery';
import { Receiver } from './receiver';
import { eventFor, keptDeliveries, MIGRATIONS, startDelivery, subscribe } from './start-delivery';

let server: TestPostgres;
let database: TestDatabase;
let receiver: Receiver;
let delivery: DeliveryFeature;
beforeEach(async () => {
  server = await startPostgres();
  const url = new URL(server.url);
  url.pathname = '/notifier';
  await applyMigrations({ connectionString: url.href, directory: MIGRATIONS, log: silentLog });
  const pool = createPool({ connectionString: url.href, max: 5, name: 'test', log: silentLog });
  const serviceUrl = url.href;
  database = { url: serviceUrl, pool, serviceUrl, servicePool: pool, drop: () => pool.end() };
  receiver = await Receiver.start();
});
afterEach(async () => {
  await delivery.consumer.stop();
  await receiver.stop();
  await database.drop();
  await server.stop();
});

/** Ends every connection of the database and lets no new one in, or lets them in again. */
async function allowConnections(isAllowed: boolean): Promise<void> {
  const admin = createPool({ connectionString: server.url, max: 1, name: 'admin', log: silentLog });
  await admin.query(`ALTER DATABASE notifier WITH ALLOW_CONNECTIONS ${isAllowed}`);
  if (!isAllowed)
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'notifier'");
  await admin.end();
}

describe('a worker whose database goes away', () => {
  it('when it is back, then results that waited are recorded once, and deliveries go on by themselves', async () => {
    delivery = startDelivery(database);
    const { id, partnerId } = await subscribe(database, receiver.url());
    let reply: (() => void) | undefined;
    receiver.behaviour = (_received, response) => (reply = () => void response.end());
    await delivery.record([eventFor(partnerId)]);
    await eventually(() => expect(reply).toBeDefined());
    await allowConnections(false);
    reply?.();
    await eventually(() => expect(delivery.worker.inFlight).toBe(0));
    await expect(delivery.record([eventFor(partnerId)])).rejects.toThrow();
    receiver.behaviour = (_received, response) => void response.end();
    await allowConnections(true);
    await eventually(async () =>
      expect(await keptDeliveries(database, id)).toMatchObject([{ status: 'Delivered', attempts: [{}] }]),
    );
    expect(receiver.received).toHaveLength(1);
    await delivery.record([eventFor(partnerId)]);
    await eventually(() => expect(receiver.received).toHaveLength(2));
  });
});
