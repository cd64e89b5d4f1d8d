import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import type { QueryConfig, QueryResult } from 'pg';
import type { DeliveryFeature } from '../src/delivery/create-delivery';
import { DeliveryQueueRepository } from '../src/delivery/delivery-queue.repository';
import { Receiver } from './receiver';
import { eventFor, eventsFor, keptDeliveries, MIGRATIONS, startDelivery, subscribe } from './start-delivery';

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

describe('one receiver and the others', () => {
  it('when a quarter of the queue is for a receiver that hangs, then it has eight at a time and all others are served', async () => {
    // On a slow machine too, no attempt times out before the others are served.
    const settings = { timeoutMs: 60_000, leaseMs: 70_000 };
    delivery = startDelivery(database, { isIdle: true, settings });
    const hanging = await Receiver.start(() => undefined);
    const slow = await subscribe(database, hanging.url());
    const healthy = await Promise.all([1, 2, 3].map((n) => subscribe(database, receiver.url(`/${n}`))));
    await delivery.record(eventsFor(slow.partnerId, 500));
    for (const { partnerId } of healthy) await delivery.record(eventsFor(partnerId, 500));
    delivery.worker.start();
    await eventually(() => expect(receiver.received).toHaveLength(1_500));
    expect(hanging.received).toHaveLength(8);
    expect(hanging.mostInFlight).toBe(8);
    expect(receiver.mostInFlight).toBeLessThanOrEqual(24);
    const waiting = (await keptDeliveries(database, slow.id)).filter(({ status }) => status === 'Pending');
    expect(waiting).toHaveLength(500);
    expect(waiting.every(({ attempts }) => attempts.length === 0)).toBe(true);
    await hanging.stop();
  });

  it('when deliveries are claimed, then each says its environment, and whether its receiver has all its slots taken by then, and the claim who has something left', async () => {
    delivery = startDelivery(database, { isIdle: true });
    const busy = await subscribe(database, receiver.url());
    const live = await subscribe(database, receiver.url());
    await database.pool.query(`UPDATE webhook_subscriptions SET environment = 'live' WHERE id = $1`, [
      live.id,
    ]);
    await delivery.record(eventsFor(busy.partnerId, 9));
    await delivery.record(eventsFor(live.partnerId, 2).map((event) => ({ ...event, environment: 'live' })));
    const queue = new DeliveryQueueRepository(database.servicePool);
    const claimAt = async (limit: number): Promise<string[]> => {
      const look = { lanes: null, madeWithinMs: null };
      const { claimed } = await queue.claim({ limit, perSubscription: 8, leaseMs: 60_000, look });
      return claimed.map(({ environment, isAtLimit }) => `${environment} ${isAtLimit}`).sort();
    };
    // The lanes take turns.
    expect(await claimAt(4)).toEqual(['live false', 'live false', 'sandbox false', 'sandbox false']);
    expect(await claimAt(100)).toEqual(Array.from({ length: 6 }, () => 'sandbox true'));
    const look = { lanes: null, madeWithinMs: null };
    const { seen } = await queue.claim({ limit: 1, perSubscription: 8, leaseMs: 60_000, look });
    const lanes = [busy, live].map(({ id }) => ({ id, since: expect.any(Date) }));
    expect(seen).toEqual({ lanes, hoppingMs: expect.any(Number) });
  });

  it('when two instances work on one subscription, then together they have no more than eight under way', async () => {
    delivery = startDelivery(database, { isIdle: true });
    const second = startDelivery(database, { isIdle: true });
    receiver.behaviour = (_received, response) => void setTimeout(() => response.end(), Math.random() * 5);
    const { id, partnerId } = await subscribe(database, receiver.url());
    await delivery.record(eventsFor(partnerId, 300));
    delivery.worker.start();
    second.worker.start();
    await eventually(async () =>
      expect(
        (await keptDeliveries(database, id)).filter(({ status }) => status === 'Delivered'),
      ).toHaveLength(300),
    );
    await second.consumer.stop();
    expect(receiver.mostInFlight).toBeLessThanOrEqual(8);
    expect(receiver.received).toHaveLength(300);
  });

  it('when a process stood still until its claim was over, then it attempts nothing that others have attempted since', async () => {
    let goOn: (() => void) | undefined;
    const claiming = async (config: QueryConfig): Promise<QueryResult> => {
      const result = await database.servicePool.query(config);
      const isFirst = result.rows.some((row) => row.delivery_id) && !goOn;
      return isFirst ? new Promise((resolve) => (goOn = () => resolve(result))) : result;
    };
    const pool = new Proxy(database.servicePool, {
      get: (real, name) => (name === 'query' ? claiming : Reflect.get(real, name)),
    });
    delivery = startDelivery(database, { pool, settings: { leaseMs: 100 } });
    const { id, partnerId } = await subscribe(database, receiver.url());
    await delivery.record([eventFor(partnerId)]);
    await eventually(() => expect(goOn).toBeDefined());
    const other = startDelivery(database);
    await eventually(async () =>
      expect(await keptDeliveries(database, id)).toMatchObject([{ status: 'Delivered' }]),
    );
    await other.consumer.stop();
    goOn?.();
    await delivery.consumer.stop();
    expect(receiver.received).toHaveLength(1);
  });

  it('when more want to send than there is room for, then whoever has the fewest under way goes first', async () => {
    delivery = startDelivery(database, { isIdle: true, settings: { maxInFlight: 4 } });
    const paths: string[] = [];
    receiver.behaviour = ({ path }) => void paths.push(path);
    const many = await Promise.all([1, 2, 3, 4].map((n) => subscribe(database, receiver.url(`/${n}`))));
    for (const { partnerId } of many) await delivery.record(eventsFor(partnerId, 20));
    delivery.worker.start();
    await eventually(() => expect(paths).toHaveLength(4));
    expect(new Set(paths).size).toBe(4);
  });
});

describe('stopping', () => {
  it('when the worker stops during an attempt that hangs, then the next worker makes the same attempt at once', async () => {
    delivery = startDelivery(database, { settings: { drainMs: 50 } });
    const { id, partnerId } = await subscribe(database, receiver.url());
    receiver.behaviour = () => undefined;
    await delivery.record([eventFor(partnerId)]);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await delivery.consumer.stop();
    receiver.behaviour = (_received, response) => void response.end();
    delivery = startDelivery(database);
    await eventually(async () =>
      expect(await keptDeliveries(database, id)).toMatchObject([
        { status: 'Delivered', attempts: [{ attemptNumber: 1 }] },
      ]),
    );
  });

  it('when the worker stops during an attempt that ends in time, then that is recorded, and nobody else makes it meanwhile', async () => {
    delivery = startDelivery(database, { settings: { drainMs: 600_000, leaseMs: 60_000 } });
    const { id, partnerId } = await subscribe(database, receiver.url('/first'));
    let finish: (() => void) | undefined;
    receiver.behaviour = ({ path }, response) => {
      if (path === '/first') finish = () => void response.end();
      else response.end();
    };
    await delivery.record([eventFor(partnerId)]);
    await eventually(() => expect(finish).toBeDefined());
    const stopped = delivery.consumer.stop();
    const other = startDelivery(database);
    const second = await subscribe(database, receiver.url('/second'));
    await other.record([eventFor(second.partnerId)]);
    await eventually(() => expect(receiver.received.map(({ path }) => path)).toEqual(['/first', '/second']));
    finish?.();
    await stopped;
    expect(await keptDeliveries(database, id)).toMatchObject([{ status: 'Delivered', attempts: [{}] }]);
    await other.consumer.stop();
  });

  it('when a lease is given back, then none goes with it of the same subscription, nor that of a later claim', async () => {
    delivery = startDelivery(database, { isIdle: true });
    const { id, partnerId } = await subscribe(database, receiver.url());
    await delivery.record(eventsFor(partnerId, 2));
    const queue = new DeliveryQueueRepository(database.servicePool);
    const look = { lanes: null, madeWithinMs: null };
    const claim = async () =>
      (await queue.claim({ limit: 1, perSubscription: 8, leaseMs: 60_000, look })).claimed;
    const leased = async () =>
      (await database.pool.query('SELECT token FROM webhook_leases WHERE subscription_id = $1', [id])).rows;
    const [first, second] = [await claim(), await claim()];
    await queue.release(first);
    expect(await leased()).toEqual(second.map(({ token }) => ({ token })));
    expect(await claim()).toMatchObject([{ deliveryId: first[0]?.deliveryId }]);
    await queue.release(first);
    expect(await leased()).toHaveLength(2);
  });

  it('when a lease was taken by another claim, then the late result changes nothing', async () => {
    delivery = startDelivery(database);
    const { id, partnerId } = await subscribe(database, receiver.url());
    const finish: ((status: number) => void)[] = [];
    receiver.behaviour = (_received, response) =>
      void finish.push((status) => response.writeHead(status).end());
    await delivery.record([eventFor(partnerId)]);
    await eventually(() => expect(finish).toHaveLength(1));
    await database.pool.query('UPDATE webhook_leases SET lease_until = clock_timestamp()');
    await eventually(() => expect(finish).toHaveLength(2));
    finish[0]?.(500);
    await eventually(() => expect(delivery.worker.inFlight).toBe(1));
    finish[1]?.(503);
    await eventually(() => expect(delivery.worker.inFlight).toBe(0));
    await delivery.consumer.stop();
    // What the one that holds the lease met, and nothing of the other.
    expect((await keptDeliveries(database, id))[0]?.attempts).toMatchObject([{ responseStatus: 503 }]);
  });
});
