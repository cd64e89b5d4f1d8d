import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { GRANTS_PATH } from './grant-file';
import type { MigrationFile } from './migration-files';
import type { RoutineFile } from './routine-files';
import { findChangedRoutines, routinePath } from './routine-records';
import { hasTable } from './has-table';

/** Prisma's own table, so that `prisma migrate deploy` can go on where this library stopped, and the other way round. */
const CREATE_TABLE = `
CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  varchar(36)  PRIMARY KEY NOT NULL,
  checksum            varchar(64)  NOT NULL,
  finished_at         timestamptz,
  migration_name      varchar(255) NOT NULL,
  logs                text,
  rolled_back_at      timestamptz,
  started_at          timestamptz  NOT NULL DEFAULT now(),
  applied_steps_count integer      NOT NULL DEFAULT 0
)`;

/** What the database has of a directory's migrations. */
export interface SchemaState {
  /** In the order of the directory. */
  applied: string[];
  pending: string[];
  /** Applied by a newer version than this one; an older version runs beside it. */
  unknown: string[];
  /** Routines of this version that are to be defined anew; none where a newer version has defined its own. */
  changedRoutines: RoutineFile[];
  /** Whether the service's role is to be granted anew what this version says; never where a newer version has granted its own. */
  areGrantsPending: boolean;
}

/** The names of all that is to be done, migrations first. */
export function pendingNames({ pending, changedRoutines, areGrantsPending }: SchemaState): string[] {
  return [...pending, ...changedRoutines.map(routinePath), ...(areGrantsPending ? [GRANTS_PATH] : [])];
}

interface RecordRow {
  migration_name: string;
  checksum: string;
  finished: boolean;
}

async function readRecords(client: Client): Promise<RecordRow[]> {
  if (!(await hasTable(client, '_prisma_migrations'))) return [];
  const { rows } = await client.query<RecordRow>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  return rows;
}

/** Compares the directory with the database; a migration that was changed after it had been applied is an error. */
export async function readSchemaState(
  client: Client,
  migrations: MigrationFile[],
  routines: RoutineFile[],
  areGrantsPending: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<SchemaState> {
  const records = new Map((await readRecords(client)).map((row) => [row.migration_name, row]));
  const state: SchemaState = {
    applied: [],
    pending: [],
    unknown: [],
    changedRoutines: [],
    areGrantsPending: false,
  };
  for (const [at, { name, checksum }] of migrations.entries()) {
    const record = records.get(name);
    records.delete(name);
    if (record?.finished && record.checksum !== checksum) {
      throw new Error(
        `migration ${name} was changed after it had been applied; restore it and add a new one` +
          // All services begin with a migration of one name.
          (at === 0 ? `, or is ${client.database ?? 'this'} the database of another service?` : ''),
      );
    }
    state[record?.finished ? 'applied' : 'pending'].push(name);
  }
  state.unknown = [...records.keys()];
  // Routines and grants only change together with a migration, so migrations of a newer version say that they are newer too.
  if (state.unknown.length === 0) {
    state.changedRoutines = await findChangedRoutines(client, routines);
    state.areGrantsPending = await areGrantsPending();
  }
  return state;
}

/** Throws when another tool began a migration and did not end it: only a person can tell what it left. */
export async function refuseUnfinished(client: Client): Promise<void> {
  const unfinished = (await readRecords(client)).find(({ finished }) => !finished);
  if (!unfinished) return;
  throw new Error(
    `migration ${unfinished.migration_name} was begun and not ended: see what of it is there, then set finished_at or ` +
      'rolled_back_at of its row in _prisma_migrations (as prisma migrate resolve does)',
  );
}

/** Makes the table of records where there is none. */
export async function ensureRecords(client: Client): Promise<void> {
  await client.query(CREATE_TABLE);
}

/** Notes that a migration is applied; in the transaction of its statements it is so exactly when they are. */
export async function recordMigration(
  client: Client,
  { name, checksum }: MigrationFile,
  startedAt: Date,
): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name, startedAt],
  );
}
