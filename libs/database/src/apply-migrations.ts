import type { Client } from 'pg';
import type { Logger } from 'pino';
import { ensureDatabase, quietClient } from './ensure-database';
import type { MigrationFile } from './migration-files';
import { migrationList, readMigrations } from './migration-files';
import { withSchemaEngine } from './schema-engine';

/** Where the migrations are and which database they are for. */
export interface ApplyMigrationsOptions {
  connectionString: string;
  /** Holds one folder for each migration, with its migration.sql. */
  directory: string;
  log: Pick<Logger, 'info'>;
}

interface AppliedRow {
  migration_name: string;
  checksum: string;
}

/**
 * Brings the database to the directory's last migration and answers the names of those applied now; creates the
 * database when it is missing. Safe to run at once from many processes, and cheap when there is nothing to do; a
 * migration that was applied and has been changed since is an error that names it.
 */
export async function applyMigrations(options: ApplyMigrationsOptions): Promise<string[]> {
  const migrations = readMigrations(options.directory);
  await ensureDatabase(options.connectionString);
  const client = quietClient(options.connectionString);
  await client.connect();
  try {
    if (await isUpToDate(client, migrations)) return [];
    // Prisma's engine takes a lock of its own but gives up on it after ten seconds; this one waits its turn.
    await client.query("SELECT pg_advisory_lock(hashtextextended('reseller.migrations', 0))");
    if (await isUpToDate(client, migrations)) return [];
    const applied = await runEngine(options, migrations);
    options.log.info({ migrations: applied }, 'migrations applied');
    return applied;
  } finally {
    await client.end();
  }
}

async function isUpToDate(client: Client, migrations: MigrationFile[]): Promise<boolean> {
  const table = await client.query<{ found: string | null }>(
    "SELECT to_regclass('_prisma_migrations')::text AS found",
  );
  if (table.rows[0]?.found == null) return false;
  const { rows } = await client.query<AppliedRow>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  for (const { name, checksum } of migrations) {
    const recorded = applied.get(name);
    if (recorded !== undefined && recorded !== checksum) {
      throw new Error(
        `migration ${name} was changed after it had been applied; restore it and add a new one`,
      );
    }
  }
  return migrations.every(({ name }) => applied.has(name));
}

async function runEngine(options: ApplyMigrationsOptions, migrations: MigrationFile[]): Promise<string[]> {
  const migrationsList = migrationList(options.directory, migrations);
  const filters = { externalTables: [], externalEnums: [] };
  const { appliedMigrationNames } = await withSchemaEngine(
    { connectionString: options.connectionString },
    undefined,
    (engine) => engine.applyMigrations({ migrationsList, filters }),
  );
  return appliedMigrationNames;
}
