import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { sqlStateOf } from './database-errors';
import { connect, connectOrCreate } from './ensure-database';
import { readGrants } from './grant-file';
import { areOwnGrantsOutdated, haveGrantsChanged, type RoleGrants } from './grant-records';
import { readMigrations } from './migration-files';
import {
  ensureRecords,
  pendingNames,
  readSchemaState,
  refuseUnfinished,
  type SchemaState,
} from './migration-records';
import { readRoutines } from './routine-files';
import { runMigrations, type LockPatience } from './run-migration';

/** Where the migrations are and which database they are for. */
interface ApplyMigrationsOptions extends Partial<LockPatience> {
  connectionString: string;
  /** Holds one folder for each migration, with its migration.sql; `../routines` holds the functions and triggers, `../grants.sql` what a service's role may do. */
  directory: string;
  log: Pick<Logger, 'info' | 'warn'>;
  /** As whom the service runs: gets what `../grants.sql` says, and nothing else. Without it nothing is granted. */
  runtimeRole?: string | undefined;
}

/** A migration waits a second for each lock, and is tried again for ten minutes; both by default. */
const defaultPatience: LockPatience = { lockTimeoutMs: 1_000, retryForMs: 600_000 };

const TURN_POLL_MS = 100;

/**
 * Brings the database to the directory's last migration and its routines to their current definitions; resolves with the
 * names of what was applied now. Creates the database when it is missing. Safe to run at once from many processes, and
 * cheap when there is nothing to do; a migration that was applied and has been changed since is an error that names it.
 */
export async function applyMigrations(options: ApplyMigrationsOptions): Promise<string[]> {
  const migrations = readMigrations(options.directory);
  const routines = readRoutines(options.directory);
  const grants = grantsFor(options);
  return withClient(connectOrCreate(options.connectionString), async (client) => {
    const read = (): Promise<SchemaState> =>
      readSchemaState(client, migrations, routines, async () =>
        grants ? haveGrantsChanged(client, grants) : false,
      );
    if (pendingNames(await read()).length === 0) return [];
    await takeTurn(client, options.log);
    const state = await read();
    // A migration may take as long as it takes: what it must not do is keep others waiting, and locks see to that.
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await ensureRecords(client);
    await refuseUnfinished(client);
    const patience = { ...defaultPatience, ...givenPatience(options) };
    const pending = migrations.filter(({ name }) => state.pending.includes(name));
    const isOutdated = state.unknown.length === 0 && (pending.length > 0 || state.areGrantsPending);
    const changes = {
      migrations: pending,
      routines: state.changedRoutines,
      grants: isOutdated ? grants : undefined,
    };
    await runMigrations(client, changes, patience, options.log);
    return pendingNames(state);
  });
}

function grantsFor({ directory, runtimeRole }: ApplyMigrationsOptions): RoleGrants | undefined {
  const file = readGrants(directory);
  return file && runtimeRole ? { role: runtimeRole, file } : undefined;
}

/**
 * What the database has of the directory's migrations, changing nothing; all are pending where it does not exist. Grants are
 * looked at for the role that connects.
 */
export async function schemaState(options: {
  connectionString: string;
  directory: string;
}): Promise<SchemaState> {
  const migrations = readMigrations(options.directory);
  const routines = readRoutines(options.directory);
  const grants = readGrants(options.directory);
  try {
    return await withClient(connect(options.connectionString), (client) =>
      readSchemaState(client, migrations, routines, async () =>
        grants ? areOwnGrantsOutdated(client, grants) : false,
      ),
    );
  } catch (error) {
    if (sqlStateOf(error) !== '3D000') throw error;
    const pending = migrations.map(({ name }) => name);
    return { applied: [], pending, unknown: [], changedRoutines: routines, areGrantsPending: false };
  }
}

function givenPatience({ lockTimeoutMs, retryForMs }: ApplyMigrationsOptions): Partial<LockPatience> {
  return {
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
    ...(retryForMs === undefined ? {} : { retryForMs }),
  };
}

/**
 * One process migrates a database at a time. Asking again and again instead of waiting inside the statement: a statement
 * that waits holds a snapshot, and a concurrent index build waits for every older snapshot, so the two would never end.
 */
async function takeTurn(client: Client, log: Pick<Logger, 'info'>): Promise<void> {
  for (let requests = 1; ; requests += 1) {
    const { rows } = await client.query<{ held: boolean }>(
      "SELECT pg_try_advisory_lock(hashtextextended('reseller.migrations', 0)) AS held",
    );
    if (rows[0]?.held) return;
    if (requests === 20) log.info('another process migrates this database; waiting for it');
    await pause(TURN_POLL_MS);
  }
}

async function withClient<T>(connected: Promise<Client>, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connected;
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
