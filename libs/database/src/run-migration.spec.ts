import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@reseller/testing';
import { createTestDatabase, eventually, silentLog } from '@reseller/testing';
import { applyMigrations } from './apply-migrations';
import { migrationList, readMigrations } from './migration-files';
import { withSchemaEngine } from './schema-engine';

describe('a migration beside traffic', () => {
  let database: TestDatabase;
  let directory: string;
  let refusals: number;
  const write = (name: string, sql: string): void => {
    mkdirSync(path.join(directory, name), { recursive: true });
    writeFileSync(path.join(directory, name, 'migration.sql'), sql);
  };
  const log = { info: () => undefined, warn: () => void (refusals += 1) };
  const apply = (): Promise<string[]> =>
    applyMigrations({ connectionString: database.url, directory, log, lockTimeoutMs: 50 });

  beforeEach(async () => {
    refusals = 0;
    database = await createTestDatabase();
    directory = mkdtempSync(path.join(os.tmpdir(), 'run-migration-'));
    write('1_table', 'CREATE TABLE parcels (id bigserial PRIMARY KEY, code int NOT NULL)');
    await apply();
  });
  afterEach(async () => {
    rmSync(directory, { recursive: true });
    await database.drop();
  });

  /** Writes one row after the other until it is to stop; returns how many there were. */
  function startWriter(): { written: () => number; stop: () => Promise<void> } {
    let written = 0;
    let going = true;
    const ended = (async () => {
      while (going) {
        await database.pool.query('INSERT INTO parcels (code) VALUES (1)');
        written += 1;
      }
    })();
    return {
      written: () => written,
      stop: async () => {
        going = false;
        await ended;
      },
    };
  }

  it('when a long query holds the table, then writers go on until the migration finds its moment', async () => {
    write('2_column', 'ALTER TABLE parcels ADD COLUMN note text');
    const reader = await database.pool.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM parcels');
    const writer = startWriter();
    const migrating = apply();
    for (let round = 1; round <= 3; round += 1) {
      const before = writer.written();
      await eventually(async () => {
        expect(refusals).toBeGreaterThanOrEqual(round);
        expect(writer.written()).toBeGreaterThan(before);
      });
    }
    await reader.query('COMMIT');
    reader.release();
    expect(await migrating).toEqual(['2_column']);
    await writer.stop();
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS n, count(note)::int AS noted FROM parcels',
    );
    expect(rows).toEqual([{ n: writer.written(), noted: 0 }]);
  });

  it('when no lock is to be had for as long as it tries, then it is named and nothing stays of it', async () => {
    write('2_both', 'CREATE TABLE half (); ALTER TABLE parcels ADD COLUMN note text');
    const reader = await database.pool.connect();
    await reader.query('BEGIN; LOCK TABLE parcels IN ACCESS SHARE MODE');
    const impatient = { connectionString: database.url, directory, log, lockTimeoutMs: 20, retryForMs: 100 };
    await expect(applyMigrations(impatient)).rejects.toThrow(
      'migration 2_both failed: canceling statement due to lock',
    );
    await reader.query('COMMIT');
    reader.release();
    expect((await database.pool.query("SELECT to_regclass('half') AS found")).rows).toEqual([
      { found: null },
    ]);
    expect(await apply()).toEqual(['2_both']);
  });

  it('when an index is built concurrently, then writers go on, and rival processes find it done', async () => {
    await database.pool.query('INSERT INTO parcels (code) SELECT g FROM generate_series(1, 20000) AS g');
    write('2_index', '-- why\nCREATE INDEX CONCURRENTLY IF NOT EXISTS parcels_code_idx ON parcels (code);\n');
    const writer = startWriter();
    const old = await database.pool.connect();
    await old.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM parcels LIMIT 1');
    const migrating = Promise.all([apply(), apply(), apply()]);
    await eventually(async () => {
      const { rows } = await database.pool.query(
        "SELECT FROM pg_stat_activity WHERE query LIKE '%CONCURRENTLY IF%' AND pid <> pg_backend_pid() AND state = 'active'",
      );
      expect(rows).toHaveLength(1);
    });
    const before = writer.written();
    await eventually(async () => expect(writer.written()).toBeGreaterThan(before));
    await old.query('COMMIT');
    old.release();
    expect((await migrating).flat()).toEqual(['2_index']);
    await writer.stop();
    const { rows } = await database.pool.query(
      "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'parcels_code_idx'::regclass",
    );
    expect(rows).toEqual([{ valid: true }]);
  });

  it('when a concurrent build failed, then what it left is removed before the next try', async () => {
    await database.pool.query('INSERT INTO parcels (code) VALUES (7), (7)');
    write('2_unique', 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS parcels_code_key ON parcels (code)');
    await expect(apply()).rejects.toThrow('migration 2_unique failed: could not create unique index');
    await database.pool.query('DELETE FROM parcels WHERE id = 1');
    expect(await apply()).toEqual(['2_unique']);
    await expect(database.pool.query('INSERT INTO parcels (code) VALUES (7)')).rejects.toThrow(
      'parcels_code_key',
    );
  });

  it('when another tool left a migration unfinished, then it is named and nothing runs', async () => {
    write('2_next', 'CREATE TABLE next ()');
    await database.pool.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', '2_next')",
    );
    await expect(apply()).rejects.toThrow('migration 2_next was begun and not ended');
    await database.pool.query("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = 'x'");
    expect(await apply()).toEqual(['2_next']);
  });

  it("when Prisma's own engine comes before or after, then each goes on where the other stopped", async () => {
    const engine = (): Promise<string[]> =>
      withSchemaEngine({ connectionString: database.url }, undefined, async (prisma) => {
        const migrationsList = migrationList(directory, readMigrations(directory));
        const filters = { externalTables: [], externalEnums: [] };
        return (await prisma.applyMigrations({ migrationsList, filters })).appliedMigrationNames;
      });
    expect(await engine()).toEqual([]);
    write('2_engine', 'CREATE TABLE by_engine ()');
    expect(await engine()).toEqual(['2_engine']);
    write('3_ours', 'CREATE TABLE by_us ()');
    expect(await apply()).toEqual(['3_ours']);
    expect(await engine()).toEqual([]);
    expect(await applyMigrations({ connectionString: database.url, directory, log: silentLog })).toEqual([]);
  });
});
