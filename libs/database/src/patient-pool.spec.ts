import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import type { Pool, QueryConfig } from 'pg';
import { createPool } from './create-pool';

describe('PatientPool', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPool({ connectionString: database.url, max: 1, name: 'test', log: silentLog });
    await pool.query('CREATE TABLE things (id int PRIMARY KEY, size int CHECK (size > 0))');
    await pool.query('INSERT INTO things VALUES (1, 1)');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const session = async (): Promise<number | undefined> =>
    (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;

  it.each<[string, QueryConfig<unknown[]>, string]>([
    ['a key', { text: 'INSERT INTO things VALUES ($1, 1)', values: [1] }, '23505'],
    ['a rule', { name: 'shrink', text: 'UPDATE things SET size = $1', values: [0] }, '23514'],
    ['a value', { text: 'SELECT $1::int', values: ['many'] }, '22P02'],
    ['a routine', { name: 'refuse', text: "DO $$ BEGIN RAISE EXCEPTION 'no'; END $$" }, 'P0001'],
  ])(
    'when a statement is refused by %s, then its connection serves the next one',
    async (_by, statement, code) => {
      const before = await session();
      await expect(pool.query(statement)).rejects.toMatchObject({ code });
      expect(await session()).toBe(before);
    },
  );

  it('when a prepared statement does not fit its table any more, then its connection is closed, and the next one prepares it anew', async () => {
    const read = { name: 'read', text: 'SELECT * FROM things' };
    await pool.query(read);
    const before = await session();
    await database.pool.query('ALTER TABLE things ADD colour text');
    await expect(pool.query(read)).rejects.toMatchObject({ code: '0A000' });
    expect(await session()).not.toBe(before);
    expect((await pool.query(read)).rows).toEqual([{ id: 1, size: 1, colour: null }]);
  });

  it('when one of several statements is refused, then the transaction that they left open is nobody else’s', async () => {
    await expect(pool.query('BEGIN; INSERT INTO things VALUES (1, 1); COMMIT')).rejects.toMatchObject({
      code: '23505',
    });
    expect((await pool.query('SELECT id FROM things')).rows).toEqual([{ id: 1 }]);
  });
});
