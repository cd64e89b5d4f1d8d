import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { PartitionRepository } from '../src/delivery/partition.repository';
import { addWebhookEvents } from '../src/delivery/webhook-event.repository';
import type { WebhookEvent } from '../src/event/domain/webhook-event';
import { eventFor, MIGRATIONS } from './start-delivery';
import { FeedReader, someOwner } from './start-feed';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  await new PartitionRepository(database.servicePool, silentLog).make(1);
});
afterAll(() => database.drop());

const owners = [someOwner(), someOwner(), someOwner()];
const PARTITIONS = 4;
const BATCHES = 25;

/** What a partition of the bus holds: batches of changes of its own orders, of all partners. */
const partition = (at: number): WebhookEvent[][] =>
  Array.from({ length: BATCHES }, (_, batch) =>
    Array.from({ length: 1 + ((at + batch * 7) % 9) }, (_unused, n) => {
      const { partnerId } = owners[(at + batch + n) % owners.length] ?? someOwner();
      return eventFor(partnerId, 'order.completed', `P${at}-${n % 3}`);
    }),
  );

const chance = (of: number): boolean => Math.random() < of;

/**
 * A consumer of a partition, as notifier's instances are: a batch is one transaction, and it comes again when the process was killed
 * or could not say that it has committed; sometimes a former owner takes in the same batch at the same time.
 */
async function takeIn(batches: readonly WebhookEvent[][]): Promise<void> {
  for (const batch of batches) {
    for (let isCommitted = false; !isCommitted;) {
      const client = await database.pool.connect();
      let isDead = false;
      const died = (): void => void (isDead = true);
      client.on('error', died);
      try {
        await client.query('BEGIN');
        await addWebhookEvents(client, batch);
        // Whoever began later may want to commit sooner.
        if (chance(0.3)) await client.query('SELECT pg_sleep(random() * 0.01)');
        if (chance(0.1)) await client.query('SELECT pg_terminate_backend(pg_backend_pid())');
        if (chance(0.2)) await Promise.all([client.query('COMMIT'), addWebhookEvents(database.pool, batch)]);
        else await client.query('COMMIT');
        isCommitted = !chance(0.1);
      } catch {
        isDead = true;
      } finally {
        client.off('error', died);
        client.release(isDead);
      }
    }
  }
}

async function readWhile(reader: FeedReader, isOver: () => boolean): Promise<string[]> {
  while (!isOver()) await reader.next(1 + Math.floor(Math.random() * 100));
  await reader.rest();
  return reader.seen;
}

describe('the order of the events feed', () => {
  it('when instances take events in side by side, commit in any order, are killed and repeat, then each cursor chain sees every event once (spec §16.2)', async () => {
    const partitions = Array.from({ length: PARTITIONS }, (_, at) => partition(at));
    let isOver = false;
    const readers = owners.flatMap((owner) => [
      new FeedReader(database, owner),
      new FeedReader(database, owner),
    ]);
    const reading = readers.map((reader) => readWhile(reader, () => isOver));
    await Promise.all(partitions.map(takeIn));
    isOver = true;
    const seen = await Promise.all(reading);
    for (const [at, owner] of owners.entries()) {
      const own = partitions.map((batches) =>
        batches.flat().filter(({ partnerId }) => partnerId === owner.partnerId),
      );
      const [one = [], two] = [seen[2 * at], seen[2 * at + 1]];
      expect(two).toEqual(one);
      expect([...one].sort()).toEqual(
        own
          .flat()
          .map(({ eventId }) => eventId)
          .sort(),
      );
      // The changes of an order stay in their order: a partition's events do.
      for (const events of own) {
        const ids = events.map(({ eventId }) => eventId);
        expect(one.filter((id) => ids.includes(id))).toEqual(ids);
      }
    }
  });
});
