import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { isDatabaseUnavailable } from './database-errors';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('CREATE TABLE entries (amount integer CHECK (amount > 0))');
});
afterAll(() => database.drop());

const raise = (state: string): string => `DO $$ BEGIN RAISE 'fault' USING ERRCODE = '${state}'; END $$`;

async function errorOf(...statements: string[]): Promise<unknown> {
  const client = await database.pool.connect();
  try {
    for (const statement of statements) await client.query(statement);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    client.release(true);
  }
}

describe('isDatabaseUnavailable', () => {
  it.each([
    ['a disk is full', [raise('53100')]],
    ['memory is short', [raise('53200')]],
    ['a file cannot be read', [raise('58030')]],
    ['it is read-only', ['BEGIN READ ONLY', 'INSERT INTO entries VALUES (1)']],
    ['a statement takes too long', ['SET statement_timeout = 10', 'SELECT pg_sleep(5)']],
    ['a lock is not had in time', [raise('55P03')]],
    ['a login is refused, as after a new password', [raise('28P01')]],
  ])('when %s, then it is for later', async (_, statements) => {
    expect(isDatabaseUnavailable(await errorOf(...statements))).toBe(true);
  });

  it.each([
    ['a rule is broken', ['INSERT INTO entries VALUES (0)']],
    ['a column is missing', ['SELECT nothing FROM entries']],
  ])('when %s, then it is the request that is wrong', async (_, statements) => {
    const error = await errorOf(...statements);
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
