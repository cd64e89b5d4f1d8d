import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@reseller/testing';
import { createTestDatabase, silentLog } from '@reseller/testing';
import { applyMigrations } from './apply-migrations';
import { isCheckViolation, isRetryable, isUniqueViolation } from './database-errors';
import { withTransaction } from './with-transaction';

const table = `CREATE TABLE counters (id int CONSTRAINT counters_key PRIMARY KEY, n int CONSTRAINT n_positive CHECK (n >= 0));`;
const body = `CREATE FUNCTION twice(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN n := n * 2; RETURN n; END; $$;`;

describe('applyMigrations', () => {
  let database: TestDatabase;
  let directory: string;
  const write = (name: string, sql: string): void => {
    mkdirSync(path.join(directory, name), { recursive: true });
    writeFileSync(path.join(directory, name, 'migration.sql'), sql);
  };
  const apply = (): Promise<string[]> =>
    applyMigrations({ connectionString: database.url, directory, log: silentLog });

  beforeEach(async () => {
    database = await createTestDatabase();
    directory = mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
    write('1_table', table);
    write('2_function', body);
  });

  afterEach(async () => {
    rmSync(directory, { recursive: true });
    await database.drop();
  });

  it('when several processes apply at once, then one does and the others find it done', async () => {
    const applied = await Promise.all([1, 2, 3, 4].map(apply));
    expect(applied.sort((a, b) => a.length - b.length)).toEqual([[], [], [], ['1_table', '2_function']]);
    expect((await database.pool.query('SELECT twice(21) AS n')).rows).toEqual([{ n: 42 }]);
    write('3_more', 'ALTER TABLE counters ADD COLUMN note text');
    expect(await apply()).toEqual(['3_more']);
  });

  it('when an applied migration was changed, then it is named, of the first one the database too, and nothing is applied', async () => {
    await apply();
    write('1_table', `${table} -- changed`);
    write('3_more', 'CREATE TABLE more ()');
    const name = new URL(database.url).pathname.slice(1);
    await expect(apply()).rejects.toThrow(
      new RegExp(`^migration 1_table was changed .*, or is ${name} the database of another service\\?$`),
    );
    expect((await database.pool.query("SELECT to_regclass('more') AS found")).rows).toEqual([
      { found: null },
    ]);
  });

  it('when a migration fails midway, then nothing of it stays', async () => {
    write('3_broken', 'CREATE TABLE half (); SELECT 1 / 0;');
    await expect(apply()).rejects.toThrow(/3_broken/);
    expect((await database.pool.query("SELECT to_regclass('half') AS found")).rows).toEqual([
      { found: null },
    ]);
  });

  it('when the database is missing, then it is created', async () => {
    const url = new URL(database.url);
    url.pathname = `${url.pathname}_new`;
    const connectionString = url.href;
    const both = [1, 2].map(() => applyMigrations({ connectionString, directory, log: silentLog }));
    expect((await Promise.all(both)).flat()).toEqual(['1_table', '2_function']);
    await database.pool.query(`DROP DATABASE "${url.pathname.slice(1)}"`);
  });

  it('when transactions collide, then they are repeated until each has its effect', async () => {
    await apply();
    await database.pool.query('INSERT INTO counters VALUES (1, 0)');
    const bump = (): Promise<unknown> =>
      withTransaction(
        database.pool,
        async (tx) => {
          const { rows } = await tx.query<{ n: number }>('SELECT n FROM counters WHERE id = 1');
          await tx.query('UPDATE counters SET n = $1 WHERE id = 1', [(rows[0]?.n ?? 0) + 1]);
        },
        { isolation: 'SERIALIZABLE', attempts: 50 },
      );
    await Promise.all(Array.from({ length: 8 }, bump));
    expect((await database.pool.query('SELECT n FROM counters')).rows).toEqual([{ n: 8 }]);
  });

  it('when a constraint refuses a write, then the error is known by its name', async () => {
    await apply();
    const failure = (sql: string): Promise<unknown> =>
      database.pool.query(sql).catch((error: unknown) => error);
    await database.pool.query('INSERT INTO counters VALUES (1, 0)');
    const twice = await failure('INSERT INTO counters VALUES (1, 0)');
    const negative = await failure('INSERT INTO counters VALUES (2, -1)');
    expect([isUniqueViolation(twice, 'counters_key'), isUniqueViolation(twice, 'other')]).toEqual([
      true,
      false,
    ]);
    expect([isCheckViolation(negative, 'n_positive'), isUniqueViolation(negative)]).toEqual([true, false]);
    expect(isRetryable(twice)).toBe(false);
  });
});
