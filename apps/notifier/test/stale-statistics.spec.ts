import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { DeliveryQueueRepository } from '../src/delivery/delivery-queue.repository';
import { PartitionRepository } from '../src/delivery/partition.repository';
import { addWebhookEvents } from '../src/delivery/webhook-event.repository';
import { explaining, leastOf } from './explaining';
import { delivered, eventFor, eventsFor, MIGRATIONS, subscribe } from './start-delivery';

const EVERYTHING = { lanes: null, madeWithinMs: null };
const QUEUE = ['webhook_pending_deliveries', 'webhook_leases'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  await new PartitionRepository(database.servicePool, silentLog).make(1);
});
afterAll(() => database.drop());

it('when a backlog follows on statistics that were taken while nothing waited, then recording a result reads none of it', async () => {
  const queue = new DeliveryQueueRepository(database.servicePool);
  const { id, partnerId } = await subscribe(database, 'https://partner.example');
  const claim = async () =>
    (await queue.claim({ limit: 500, perSubscription: 8, leaseMs: 60_000, look: EVERYTHING })).claimed;
  /** Pages that recording the result of one delivery reads. */
  const recordOne = async (): Promise<number> => {
    await addWebhookEvents(database.servicePool, [eventFor(partnerId)]);
    const { explained, pages } = explaining(database.pool);
    await new DeliveryQueueRepository(explained).recordResults((await claim()).map(delivered));
    return pages();
  };
  // The statistics are those of here to the end.
  for (const table of QUEUE) await database.pool.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  await addWebhookEvents(database.servicePool, eventsFor(partnerId, 8));
  expect(await queue.recordResults((await claim()).map(delivered))).toBe(8);
  await database.pool.query(`ANALYZE ${QUEUE.join(', ')}`);
  const { rows } = await database.pool.query<{ reltuples: number; has_pages: boolean }>(
    'SELECT reltuples, relpages > 0 AS has_pages FROM pg_class WHERE relname = ANY ($1)',
    [QUEUE],
  );
  expect(rows).toEqual(QUEUE.map(() => ({ reltuples: 0, has_pages: true })));

  const before = await leastOf(recordOne);
  await database.pool.query(
    `WITH later AS (
       INSERT INTO webhook_pending_deliveries (event_id, subscription_id, event_type, next_attempt_at)
       SELECT uuidv7(), $1, 'order.completed', clock_timestamp() + interval '1 day' FROM generate_series(1, 20000)
     )
     INSERT INTO webhook_leases SELECT uuidv7(), uuidv7(), uuidv7(), clock_timestamp() + interval '1 day' FROM generate_series(1, 5000)`,
    [id],
  );
  // Indexes have grown by a level or two.
  expect(await leastOf(recordOne)).toBeLessThan(before + 20);
});
