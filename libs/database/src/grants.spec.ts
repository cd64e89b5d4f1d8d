import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { applyMigrations, schemaState } from './apply-migrations';
import { serviceMigrations } from './service-migrations';

const OWNER = 'grants_owner';
const RUNTIME = 'grants_runtime';

describe('the grants of a service', () => {
  let database: TestDatabase;
  let prisma: string;
  let ownerUrl: string;
  let runtimeUrl: string;

  beforeEach(async () => {
    prisma = mkdtempSync(path.join(os.tmpdir(), 'grants-'));
    database = await createTestDatabase();
    const name = new URL(database.url).pathname.slice(1);
    for (const role of [OWNER, RUNTIME])
      await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    await database.pool.query(
      `ALTER DATABASE ${name} OWNER TO ${OWNER}; REVOKE ALL ON DATABASE ${name} FROM PUBLIC`,
    );
    ownerUrl = Object.assign(new URL(database.url), { username: OWNER, password: 'secret' }).href;
    runtimeUrl = Object.assign(new URL(database.url), { username: RUNTIME, password: 'secret' }).href;
  });
  afterEach(async () => {
    rmSync(prisma, { recursive: true });
    await database.pool.query(`DROP OWNED BY ${OWNER}, ${RUNTIME} CASCADE`);
    await database.drop();
    const other = await createTestDatabase();
    await other.pool.query(`DROP ROLE ${OWNER}, ${RUNTIME}`);
    await other.drop();
  });

  const directory = (): string => path.join(prisma, 'migrations');
  const addMigration = (name: string, script: string): void => {
    mkdirSync(path.join(directory(), name), { recursive: true });
    writeFileSync(path.join(directory(), name, 'migration.sql'), script);
  };
  const grant = (script: string): void => writeFileSync(path.join(prisma, 'grants.sql'), script);
  const migrate = (): Promise<string[]> =>
    applyMigrations({
      connectionString: ownerUrl,
      directory: directory(),
      log: silentLog,
      runtimeRole: RUNTIME,
    });
  const asRuntime = async (sql: string): Promise<string> => {
    const client = new Client({ connectionString: runtimeUrl });
    try {
      await client.connect();
      await client.query(sql);
      return 'done';
    } catch (error) {
      return String((error as { code?: unknown }).code);
    } finally {
      await client.end();
    }
  };

  it('when the owner migrates, then the service may do what the file says and nothing else', async () => {
    addMigration('20260101000000_notes', 'CREATE TABLE notes (id int); CREATE TABLE secrets (id int)');
    grant('GRANT SELECT, INSERT ON notes TO :"runtime";');
    expect(await migrate()).toEqual(['20260101000000_notes', 'grants.sql']);
    expect(await asRuntime('INSERT INTO notes VALUES (1)')).toBe('done');
    for (const sql of [
      'UPDATE notes SET id = 2',
      'DELETE FROM notes',
      'SELECT * FROM secrets',
      'DROP TABLE notes',
    ])
      expect([sql, await asRuntime(sql)]).toEqual([sql, '42501']);
    expect(await migrate()).toEqual([]);
  });

  it('when a later version grants something else, then the old goes, and the service waits until it is so', async () => {
    addMigration('20260101000000_notes', 'CREATE TABLE notes (id int)');
    grant('GRANT SELECT, INSERT ON notes TO :"runtime";');
    await migrate();
    addMigration('20260102000000_more', 'CREATE TABLE more (id int)');
    grant('GRANT SELECT ON notes, more TO :"runtime";');
    const { pendingMigrations } = serviceMigrations(directory());
    const settings = { DATABASE_URL: runtimeUrl };
    expect(await pendingMigrations(settings)).toEqual(['20260102000000_more', 'grants.sql']);
    await migrate();
    expect(await pendingMigrations(settings)).toEqual([]);
    expect(await asRuntime('SELECT * FROM more')).toBe('done');
    expect(await asRuntime('INSERT INTO notes VALUES (1)')).toBe('42501');
  });

  it('when an earlier version migrates after a later one, then it leaves what that granted', async () => {
    addMigration('20260101000000_notes', 'CREATE TABLE notes (id int)');
    addMigration('20260102000000_more', 'CREATE TABLE more (id int)');
    grant('GRANT SELECT ON notes, more TO :"runtime";');
    await migrate();
    rmSync(path.join(directory(), '20260102000000_more'), { recursive: true });
    grant('GRANT SELECT ON notes TO :"runtime";');
    expect(await migrate()).toEqual([]);
    expect(await asRuntime('SELECT * FROM more')).toBe('done');
    expect(
      (await schemaState({ connectionString: runtimeUrl, directory: directory() })).areGrantsPending,
    ).toBe(false);
  });

  it('when the grants cannot be given, then the migration that they came with has not happened either', async () => {
    addMigration('20260101000000_notes', 'CREATE TABLE notes (id int)');
    grant('GRANT SELECT ON nowhere TO :"runtime";');
    await expect(migrate()).rejects.toThrow('grants.sql: relation "nowhere" does not exist');
    const { rows } = await database.pool.query("SELECT to_regclass('notes') AS found");
    expect(rows).toEqual([{ found: null }]);
  });

  it('when the service is to run as the owner, then it is refused, for it would take from the owner what that has', async () => {
    addMigration('20260101000000_notes', 'CREATE TABLE notes (id int)');
    grant('GRANT SELECT ON notes TO :"runtime";');
    const options = {
      connectionString: ownerUrl,
      directory: directory(),
      log: silentLog,
      runtimeRole: OWNER,
    };
    await expect(applyMigrations(options)).rejects.toThrow(`${OWNER} migrates`);
  });
});
