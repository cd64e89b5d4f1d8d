import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import type { ClientBase } from 'pg';
import { DeadLetters, type EventHandler } from '../src/dead-letters/dead-letters';

const sql = readFileSync(path.join(__dirname, '../sql/dead-letters.sql'), 'utf8');

/** The database of a service that consumes, with its dead letters. */
export async function createDeadLetterDatabase(
  consumers: readonly EventHandler[] = [],
): Promise<TestDatabase & { deadLetters: DeadLetters }> {
  const database = await createTestDatabase();
  await database.pool.query(sql);
  return { ...database, deadLetters: new DeadLetters({ pool: database.pool, consumers, log: silentLog }) };
}

const raises =
  (state: string) =>
  async (tx: ClientBase): Promise<void> =>
    void (await tx.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`));

/** Faults that say nothing against an event; what PostgreSQL cannot be brought to by a statement it raises. */
export const FAULTS: ((tx: ClientBase) => Promise<void>)[] = [
  raises('53100'),
  raises('53200'),
  // Its next write fails.
  async (tx) => void (await tx.query('SET TRANSACTION READ ONLY')),
  async (tx) => {
    await tx.query("SET LOCAL statement_timeout = '5ms'");
    await tx.query('SELECT pg_sleep(10)');
  },
  async (tx) => void (await tx.query('SELECT no_such_column FROM effect')),
  () => Promise.reject(new TypeError('undefined is not a function')),
];
