import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { CLAIM } from '../src/erasure/erase-orders.sql';
import { MIGRATIONS } from './start-orders';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
afterAll(() => database.drop());

it('when a transaction of before the request may still make an order, then the erasure waits for it, and for no other', async () => {
  const { pool } = database;
  const [earlier, reader, later] = [await pool.connect(), await pool.connect(), await pool.connect()];
  await earlier.query('BEGIN; UPDATE orders SET amount = amount');
  await reader.query('BEGIN; SELECT FROM orders');
  await database.pool
    .query(`INSERT INTO erasures (id, kind, subject_hash, reason, requested_by, request_id, sealed_recipient, sealed_by)
    VALUES (gen_random_uuid(), 'phoneNumber', 'hash', 'a test', 'Olga', 'test', '\\x00', 'test')`);
  const claimed = async () => (await pool.query(CLAIM.text)).rowCount;
  expect(await claimed()).toBe(0);
  await later.query('BEGIN; UPDATE orders SET amount = amount');
  await earlier.query('COMMIT');
  await eventually(async () => expect(await claimed()).toBe(1));
  for (const client of [earlier, reader, later]) {
    await client.query('ROLLBACK');
    client.release();
  }
});
