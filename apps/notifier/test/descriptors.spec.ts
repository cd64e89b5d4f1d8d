import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import type { DeliveryFeature } from '../src/delivery/create-delivery';
import { cannotLimit, takeAllDescriptors } from './descriptors';
import { Receiver } from './receiver';
import { eventFor, eventsFor, keptDeliveries, MIGRATIONS, startDelivery, subscribe } from './start-delivery';

let database: TestDatabase;
let receiver: Receiver;
let delivery: DeliveryFeature;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
beforeEach(async () => {
  receiver = await Receiver.start();
  // By then every module is loaded that a delivery needs, which takes descriptors too.
  await deliverOneElsewhere();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await delivery.consumer.stop();
  await receiver.stop();
});
afterAll(() => database.drop());

async function deliverOneElsewhere(): Promise<void> {
  const elsewhere = await Receiver.start();
  delivery = startDelivery(database);
  const { partnerId } = await subscribe(database, elsewhere.url('/'));
  await delivery.record([eventFor(partnerId)]);
  await eventually(() => expect(elsewhere.received).toHaveLength(1));
  await delivery.consumer.stop();
  await elsewhere.stop();
}

describeWith(cannotLimit, 'a process that has no descriptor left', () => {
  it('when it fails attempts for that, then none is counted, and once it has some the first one is made', async () => {
    delivery = startDelivery(database, { settings: { leaseMs: 300 }, isIdle: true });
    const { id, partnerId } = await subscribe(database, receiver.url('/'));
    await delivery.record([eventFor(partnerId)]);
    const giveBack = takeAllDescriptors();
    try {
      delivery.worker.start();
      const leases = new Set<string>();
      await eventually(async () => {
        const { rows } = await database.pool.query<{ token: string }>(
          'SELECT token FROM webhook_leases WHERE subscription_id = $1',
          [id],
        );
        for (const { token } of rows) leases.add(token);
        // Claimed again, so the first attempt has failed and its lease has lapsed.
        expect(leases.size).toBe(2);
      });
    } finally {
      giveBack();
    }
    await eventually(async () =>
      expect(await keptDeliveries(database, id)).toMatchObject([
        { status: 'Delivered', attempts: [{ attemptNumber: 1, errorSummary: null }] },
      ]),
    );
  });

  it('when it fails an attempt for that, then it claims no other until that lease lapses, and instances that can send do', async () => {
    delivery = startDelivery(database, { settings: { leaseMs: 60_000, maxInFlight: 1 }, isIdle: true });
    const { partnerId } = await subscribe(database, receiver.url('/'));
    await delivery.record(eventsFor(partnerId, 2));
    const logged = jest.spyOn(silentLog, 'error');
    const giveBack = takeAllDescriptors();
    try {
      delivery.worker.start();
      await eventually(() => expect(logged).toHaveBeenCalledTimes(1));
    } finally {
      giveBack();
    }
    const inFlight: number[][] = [];
    receiver.behaviour = (_received, response) => {
      inFlight.push([delivery, other].map(({ worker }) => worker.inFlight));
      response.end();
    };
    const other = startDelivery(database, { isIdle: true });
    // Any look of the first one's comes before the other's.
    delivery.worker.wake();
    await keptDeliveries(database);
    other.worker.start();
    await eventually(() => expect(inFlight).toEqual([[0, 1]]));
    await other.consumer.stop();
  });
});
