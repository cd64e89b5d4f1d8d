import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { applyMigrations, schemaState } from './apply-migrations';
import { pendingNames } from './migration-records';

const price = (factor: number): string =>
  `CREATE OR REPLACE FUNCTION price(n int) RETURNS int LANGUAGE sql AS $$ SELECT factor() * n + ${factor} $$;`;
const factor = 'CREATE OR REPLACE FUNCTION factor() RETURNS int LANGUAGE sql AS $$ SELECT 10 $$;';

describe('routines', () => {
  let database: TestDatabase;
  let folder: string;
  const write = (file: string, sql: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), sql);
  };
  const options = (): { connectionString: string; directory: string } => ({
    connectionString: database.url,
    directory: path.join(folder, 'migrations'),
  });
  const apply = (): Promise<string[]> => applyMigrations({ ...options(), log: silentLog });
  const priceOf = async (n: number): Promise<unknown> =>
    (await database.pool.query('SELECT price($1) AS price', [n])).rows[0]?.price;

  beforeEach(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(path.join(os.tmpdir(), 'routines-'));
    write('migrations/1_table/migration.sql', 'CREATE TABLE shelves (id int)');
    write('routines/factor.sql', factor);
    // Before the one that it calls, by name: neither order matters.
    write('routines/a_price.sql', price(1));
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await database.drop();
  });

  it('when a database is new, then it gets tables and routines, and a second run finds nothing to do', async () => {
    expect(await apply()).toEqual(['1_table', 'routines/a_price.sql', 'routines/factor.sql']);
    expect(await priceOf(2)).toBe(21);
    expect(await apply()).toEqual([]);
  });

  it('when a routine has another text, then it alone is pending and defined anew', async () => {
    await apply();
    write('routines/a_price.sql', price(5));
    expect(pendingNames(await schemaState(options()))).toEqual(['routines/a_price.sql']);
    expect(await apply()).toEqual(['routines/a_price.sql']);
    expect(await priceOf(2)).toBe(25);
  });

  it('when the last migration fails, then no routine is changed; when a routine fails, then the migration is undone', async () => {
    await apply();
    write('routines/a_price.sql', price(5));
    write('migrations/2_broken/migration.sql', 'SELECT 1 / 0');
    await expect(apply()).rejects.toThrow('2_broken');
    expect(await priceOf(2)).toBe(21);
    write('migrations/2_broken/migration.sql', 'CREATE TABLE boxes (id int)');
    write('routines/a_price.sql', 'CREATE FUNCTION price(');
    await expect(apply()).rejects.toThrow('routines/a_price.sql');
    const { rows } = await database.pool.query("SELECT to_regclass('boxes') AS boxes");
    expect(rows).toEqual([{ boxes: null }]);
  });

  it('when a newer version has migrated, then an older one leaves the newer routines alone', async () => {
    write('migrations/2_newer/migration.sql', 'CREATE TABLE boxes (id int)');
    write('routines/a_price.sql', price(5));
    await apply();
    rmSync(path.join(folder, 'migrations/2_newer'), { recursive: true });
    write('routines/a_price.sql', price(1));
    expect(pendingNames(await schemaState(options()))).toEqual([]);
    expect(await apply()).toEqual([]);
    expect(await priceOf(2)).toBe(25);
  });
});
