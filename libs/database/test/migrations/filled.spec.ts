import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { applyMigrations } from '../../src/apply-migrations';
import { readMigrations } from '../../src/migration-files';
import { migrationsOf } from './all-services';
import { earlierRows } from './rows';

type Rows = Map<string, Record<string, unknown>[]>;

/** Every row of every table and view of the service, as JSON, in some fixed order: a view may take a table’s place. */
async function readRows({ pool }: TestDatabase): Promise<Rows> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v') AND NOT relispartition
     AND relnamespace = 'public'::regnamespace AND relname NOT IN ('_prisma_migrations', '_routines') ORDER BY 1`,
  );
  const all: Rows = new Map();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) AS row FROM ${name} AS t ORDER BY to_jsonb(t)::text`,
    );
    all.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return all;
}

async function viewsOf({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

/** The rows cut down to the columns that the earlier ones had. */
function asBefore(before: Rows, after: Rows): Rows {
  return new Map(
    [...before].map(([table, rows]) => {
      const columns = Object.keys(rows[0] ?? {});
      const cut = (after.get(table) ?? []).map((row) =>
        Object.fromEntries(columns.map((column) => [column, row[column]])),
      );
      return [table, cut];
    }),
  );
}

/** A column that is null shows as one that is not there: one that was empty in each row may go. */
const shown = (row: Record<string, unknown>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));

const sorted = (rows: Rows): [string, string[]][] =>
  [...rows].filter(([, list]) => list.length > 0).map(([table, list]) => [table, list.map(shown).sort()]);

describe('migrations of a database in use', () => {
  it.each(Object.keys(earlierRows))(
    'when the migrations of %s run one by one over rows that were there before, then each row keeps what it said',
    async (app) => {
      const database = await createTestDatabase();
      const folder = mkdtempSync(path.join(os.tmpdir(), 'filled-'));
      const directory = path.join(folder, 'migrations');
      const routines = path.join(migrationsOf(app), '../routines');
      try {
        const migrations = readMigrations(migrationsOf(app));
        for (const { name } of migrations) {
          const before = await readRows(database);
          const views = await viewsOf(database);
          // They are as they are now, so they may need what the last one makes.
          if (name === migrations.at(-1)?.name && existsSync(routines))
            cpSync(routines, path.join(folder, 'routines'), { recursive: true });
          cpSync(path.join(migrationsOf(app), name), path.join(directory, name), { recursive: true });
          await applyMigrations({ connectionString: database.url, directory, log: silentLog });
          const now = await readRows(database);
          // What a view showed stands in its tables: it may go. A table may not, unless it was empty.
          for (const view of views) if (!now.has(view)) before.delete(view);
          const after = asBefore(before, now);
          expect({ name, rows: sorted(after) }).toEqual({ name, rows: sorted(before) });
          for (const { sql } of earlierRows[app]?.filter((rows) => rows.after === name) ?? []) {
            await database.pool.query(sql);
          }
        }
        const filled = sorted(await readRows(database)).length;
        expect(filled).toBeGreaterThan(1);
      } finally {
        rmSync(folder, { recursive: true });
        await database.drop();
      }
    },
  );
});
