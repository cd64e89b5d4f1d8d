import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import type { DeliveryFeature } from '../src/delivery/create-delivery';
import { isSignedWith, Receiver } from './receiver';
import {
  eventFor,
  keptDeliveries,
  makeDue,
  MIGRATIONS,
  SEAL,
  startDelivery,
  subscribe,
} from './start-delivery';

let database: TestDatabase;
let receiver: Receiver;
let delivery: DeliveryFeature;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM webhook_subscriptions');
  receiver = await Receiver.start();
});
afterEach(async () => {
  await delivery.consumer.stop();
  await receiver.stop();
});
afterAll(() => database.drop());

const reply = (status: number) => {
  receiver.behaviour = (_received, response) => void response.writeHead(status).end();
};

describe('an event and its deliveries', () => {
  it('when an event comes, then each active subscription that wants it gets the same bytes, signed with its own secret', async () => {
    delivery = startDelivery(database);
    const one = await subscribe(database, receiver.url('/one'));
    const { partnerId } = one;
    const two = await subscribe(database, receiver.url('/two'), { partnerId });
    await subscribe(database, receiver.url('/other-type'), { partnerId, eventTypes: ['order.failed'] });
    await subscribe(database, receiver.url('/other-partner'));
    const paused = await subscribe(database, receiver.url('/paused'), { partnerId });
    await database.pool.query('UPDATE webhook_subscriptions SET is_active = false WHERE id = $1', [
      paused.id,
    ]);
    const event = eventFor(partnerId);
    await delivery.record([event]);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    for (const { path, secret } of [
      { path: '/one', secret: one.secret },
      { path: '/two', secret: two.secret },
    ]) {
      const received = receiver.received.find((each) => each.path === path);
      expect(received?.body.equals(event.body)).toBe(true);
      expect(isSignedWith(secret, received!)).toBe(true);
      expect(received?.headers['x-service-event-id']).toBe(event.eventId);
    }
    await eventually(async () =>
      expect(await keptDeliveries(database, one.id)).toMatchObject([
        {
          status: 'Delivered',
          next_attempt_at: null,
          attempts: [{ attemptNumber: 1, responseStatus: 200, errorSummary: null }],
        },
      ]),
    );
    const { rows } = await database.pool.query(
      'SELECT status, attempted_at IS NOT NULL AS dated FROM webhook_last_attempts WHERE subscription_id = $1',
      [one.id],
    );
    expect(rows).toEqual([{ status: 'Delivered', dated: true }]);
  });

  it('when an event comes again, alone or within its batch, then nothing is sent twice', async () => {
    delivery = startDelivery(database);
    const { id, partnerId } = await subscribe(database, receiver.url());
    const event = eventFor(partnerId);
    await Promise.all([delivery.record([event, event]), delivery.record([event])]);
    await delivery.record([event]);
    await eventually(async () =>
      expect((await keptDeliveries(database, id)).map(({ status }) => status)).toEqual(['Delivered']),
    );
    expect(receiver.received).toHaveLength(1);
  });

  it('when an event comes while the subscription is paused, then it is not sent after the resume', async () => {
    delivery = startDelivery(database);
    const { id, partnerId } = await subscribe(database, receiver.url());
    await database.pool.query('UPDATE webhook_subscriptions SET is_active = false WHERE id = $1', [id]);
    await delivery.record([eventFor(partnerId)]);
    await database.pool.query('UPDATE webhook_subscriptions SET is_active = true WHERE id = $1', [id]);
    const later = eventFor(partnerId);
    await delivery.record([later]);
    await eventually(async () =>
      expect(await keptDeliveries(database, id)).toMatchObject([{ status: 'Delivered' }]),
    );
    expect(receiver.received.map(({ headers }) => headers['x-service-event-id'])).toEqual([later.eventId]);
  });
});

describe('an event that is gone', () => {
  it('when a delivery waited for longer than its event was kept, then it is dead-lettered, and others go on', async () => {
    const { id, partnerId } = await subscribe(database, receiver.url());
    delivery = startDelivery(database, { isIdle: true });
    const [gone, kept] = [eventFor(partnerId), eventFor(partnerId)];
    await delivery.record([gone, kept]);
    await database.pool.query('DELETE FROM webhook_events WHERE event_id = $1', [gone.eventId]);
    delivery.worker.start();
    await eventually(async () =>
      expect(
        (await keptDeliveries(database, id)).map(({ event_id, status }) => [event_id, status]).sort(),
      ).toEqual(
        [
          [gone.eventId, 'DeadLettered'],
          [kept.eventId, 'Delivered'],
        ].sort(),
      ),
    );
    expect(receiver.received).toHaveLength(1);
  });
});

describe('retries (spec §10.5)', () => {
  it('when every attempt fails, then there are exactly eight, the gaps count from the end of each, and it is dead-lettered', async () => {
    delivery = startDelivery(database, { settings: { retry: { baseMs: 1_000, capMs: 5_000 } } });
    reply(500);
    const { id, partnerId } = await subscribe(database, receiver.url());
    await delivery.record([eventFor(partnerId)]);
    const gaps: number[] = [];
    for (let attempt = 1; attempt < 8; attempt += 1) {
      const [kept] = await eventually(async () => {
        const found = await keptDeliveries(database, id);
        expect(found[0]?.attempts).toHaveLength(attempt);
        return found;
      });
      const { attemptedAt, durationMs } = kept!.attempts.at(-1)!;
      gaps.push(kept!.next_attempt_at!.getTime() - Date.parse(attemptedAt) - durationMs);
      await makeDue(database);
    }
    await eventually(async () =>
      expect(await keptDeliveries(database, id)).toMatchObject([{ status: 'DeadLettered' }]),
    );
    for (const [at, expected] of [1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000].entries())
      expect(Math.abs((gaps[at] ?? 0) - expected)).toBeLessThanOrEqual(2);
    const [kept] = await keptDeliveries(database, id);
    expect(kept?.attempts.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await makeDue(database);
    delivery.worker.wake();
    expect(receiver.received).toHaveLength(8);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(1);
  });

  it('when a secret is rotated and the url changed between two attempts, then the next one uses both', async () => {
    delivery = startDelivery(database);
    reply(500);
    const { id, partnerId } = await subscribe(database, receiver.url('/old'));
    await delivery.record([eventFor(partnerId)]);
    await eventually(async () => expect((await keptDeliveries(database, id))[0]?.attempts).toHaveLength(1));
    const { ciphertext } = SEAL.seal(id, 'whsec_new');
    await database.pool.query(
      'UPDATE webhook_subscriptions SET secret_ciphertext = $2, url = $3 WHERE id = $1',
      [id, ciphertext, receiver.url('/new')],
    );
    reply(200);
    await makeDue(database);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.received[1]?.path).toBe('/new');
    expect(isSignedWith('whsec_new', receiver.received[1]!)).toBe(true);
  });

  it('when it is paused between two attempts, then the next waits for the resume and the count goes on', async () => {
    delivery = startDelivery(database);
    reply(500);
    const { id, partnerId } = await subscribe(database, receiver.url());
    await delivery.record([eventFor(partnerId)]);
    await eventually(async () => expect((await keptDeliveries(database, id))[0]?.attempts).toHaveLength(1));
    await database.pool.query('UPDATE webhook_subscriptions SET is_active = false WHERE id = $1', [id]);
    await makeDue(database);
    const other = await subscribe(database, receiver.url('/other'));
    await delivery.record([eventFor(other.partnerId)]);
    // A claim that was made after the pause has been through.
    await eventually(() => expect(receiver.received.map(({ path }) => path)).toContain('/other'));
    expect((await keptDeliveries(database, id))[0]?.attempts).toHaveLength(1);
    reply(200);
    await database.pool.query('UPDATE webhook_subscriptions SET is_active = true WHERE id = $1', [id]);
    await eventually(async () =>
      expect(await keptDeliveries(database, id)).toMatchObject([
        { status: 'Delivered', attempts: [{}, { attemptNumber: 2 }] },
      ]),
    );
  });

  it('when the subscription is deleted, then what is pending goes with it, and a result that comes later changes nothing', async () => {
    delivery = startDelivery(database);
    const { id, partnerId } = await subscribe(database, receiver.url());
    let finish: (() => void) | undefined;
    receiver.behaviour = (_received, response) => (finish = () => void response.end());
    await delivery.record([eventFor(partnerId)]);
    await eventually(() => expect(finish).toBeDefined());
    await database.pool.query('DELETE FROM webhook_subscriptions WHERE id = $1', [id]);
    finish?.();
    await eventually(() => expect(delivery.worker.inFlight).toBe(0));
    await delivery.consumer.stop();
    expect(await keptDeliveries(database, id)).toEqual([]);
  });

  it('when events wait for a feed that somebody holds, then others have a connection meanwhile', async () => {
    delivery = startDelivery(database);
    const { partnerId } = await subscribe(database, receiver.url());
    await delivery.record([eventFor(partnerId)]);
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock(7700002, id) FROM webhook_feeds WHERE partner_id = $1', [
      partnerId,
    ]);
    const recorded = Promise.all(Array.from({ length: 30 }, () => delivery.record([eventFor(partnerId)])));
    try {
      await expect(database.servicePool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    await recorded;
    await eventually(() => expect(receiver.received).toHaveLength(31));
  });

  it('when the name turns to a private address after creation, then the attempt is Destination rejected', async () => {
    const resolver = { addresses: ['93.184.216.34'], resolve: () => Promise.resolve(resolver.addresses) };
    delivery = startDelivery(database, { allowed: '', resolver, settings: { timeoutMs: 300 } });
    const { id, partnerId } = await subscribe(database, `https://hooks.example:${receiver.port}/`);
    await delivery.record([eventFor(partnerId)]);
    await eventually(async () => expect((await keptDeliveries(database, id))[0]?.attempts).toHaveLength(1));
    // A mixed response: its public half is no way out.
    resolver.addresses = ['93.184.216.34', '127.0.0.1'];
    await makeDue(database);
    await eventually(async () =>
      expect((await keptDeliveries(database, id))[0]?.attempts[1]).toMatchObject({
        responseStatus: null,
        errorSummary: 'Destination rejected',
      }),
    );
    expect(receiver.connections).toBe(0);
  });
});
