import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import type { DeliveryFeature } from '../src/delivery/create-delivery';
import { Receiver } from './receiver';
import { eventsFor, keptDeliveries, MIGRATIONS, startDelivery, subscribe } from './start-delivery';

const EVENTS = 500;
let database: TestDatabase;
let workers: DeliveryFeature[] = [];
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.consumer.stop()));
  workers = [];
});
afterAll(() => database.drop());

describe('hundreds of events to receivers of every temper', () => {
  it('when all is quiet again, then each was delivered, or dead-lettered after exactly eight recorded attempts', async () => {
    const seen = new Map<string, { delivered: number; attempts: number }>();
    const receiver = await Receiver.start(({ headers }, response, socket) => {
      const id = String(headers['x-service-event-id']);
      const entry = seen.get(id) ?? { delivered: 0, attempts: 0 };
      seen.set(id, entry);
      entry.attempts += 1;
      const dice = Math.random();
      // Of a hundred events about three are dead-lettered.
      if (dice < 0.35) {
        entry.delivered += 1;
        response.end('ok');
      } else if (dice < 0.65) response.writeHead(500).end();
      else if (dice < 0.8) response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      else if (dice < 0.95) socket.destroy();
      else if (dice < 0.99) setTimeout(() => response.writeHead(410).end(), 5);
      // The rest hangs until it times out.
    });
    const options = { settings: { retry: { baseMs: 1, capMs: 20 }, timeoutMs: 1_500, pollMs: 10 } };
    workers = [startDelivery(database, options), startDelivery(database, options)];
    const subscriptions = await Promise.all(
      Array.from({ length: 10 }, (_, at) => subscribe(database, receiver.url(`/${at}`))),
    );
    for (let at = 0; at < EVENTS; at += 50)
      await workers[(at / 50) % 2]?.record(
        eventsFor(subscriptions[(at / 50) % subscriptions.length]?.partnerId ?? '', 50),
      );
    await eventually(
      async () => {
        const { rows } = await database.pool.query('SELECT 1 FROM webhook_pending_deliveries LIMIT 1');
        expect(rows).toEqual([]);
      },
      { timeoutMs: 230_000, intervalMs: 200 },
    );
    const kept = await keptDeliveries(database);
    expect(kept).toHaveLength(EVENTS);
    const wrong = kept.filter(({ event_id, status, attempts }) => {
      const entry = seen.get(event_id) ?? { delivered: 0, attempts: 0 };
      const isCounted = attempts.every(({ attemptNumber }, at) => attemptNumber === at + 1);
      const isWhole = entry.attempts <= attempts.length && isCounted;
      const last = attempts.at(-1)?.errorSummary;
      if (status === 'Delivered') return !(isWhole && entry.delivered >= 1 && last === null);
      return !(isWhole && attempts.length === 8 && last !== null);
    });
    expect(wrong).toEqual([]);
    expect(new Set(kept.map(({ status }) => status))).toEqual(new Set(['Delivered', 'DeadLettered']));
    const { rows } = await database.pool.query('SELECT sum(n)::int AS n FROM webhook_delivery_minutes');
    expect(rows).toEqual([{ n: EVENTS }]);
    await receiver.stop();
  }, 240_000);
});
