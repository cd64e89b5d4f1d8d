import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { CLAIM } from '../src/erasure/erase-orders.sql';
import { MIGRATIONS } from './start-orders';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
afterAll(() => database.drop());

it('when a transaction of before the request is open, then the erasure waits, for it may make an order; later ones hold nothing up', async () => {
  const [earlier, later] = [await database.pool.connect(), await database.pool.connect()];
  await earlier.query('BEGIN');
  await database.pool
    .query(`INSERT INTO erasures (id, kind, subject_hash, reason, requested_by, request_id, sealed_recipient, sealed_by)
    VALUES (gen_random_uuid(), 'phoneNumber', 'hash', 'a test', 'Olga', 'test', '\\x00', 'test')`);
  const claimed = async () => (await database.pool.query(CLAIM.text)).rowCount;
  expect(await claimed()).toBe(0);
  await later.query('BEGIN');
  await earlier.query('COMMIT');
  await eventually(async () => expect(await claimed()).toBe(1));
  await later.query('ROLLBACK');
  for (const client of [earlier, later]) client.release();
});
