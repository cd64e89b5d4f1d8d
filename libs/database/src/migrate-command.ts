import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  baseConfig,
  createLogger,
  envDatabaseUrl,
  envInteger,
  loadConfig,
  reporting,
  runCommand,
  type CommandCall,
} from '@reseller/service-kit';
import { z } from 'zod';
import { applyMigrations, schemaState } from './apply-migrations';
import { isDatabaseUnavailable, isLoginRefused } from './database-errors';
import { pendingNames } from './migration-records';
import { runtimeRoleOf } from './runtime-role';

const HOUR_MS = 3_600_000;
const WAIT_POLL_MS = 500;

/** All that the command reads from its environment; none of the service's own settings or secrets. */
const migrateConfig = z.object({
  LOG_LEVEL: baseConfig.LOG_LEVEL,
  DATABASE_MIGRATION_URL: envDatabaseUrl(),
  DATABASE_URL: envDatabaseUrl().optional(),
  DATABASE_RUNTIME_ROLE: z.string().min(1).describe('the role that the service runs as').optional(),
  MIGRATE_DATABASE_WAIT_MS: envInteger({ min: 0, max: HOUR_MS, unit: 'milliseconds' }).default(60_000),
  MIGRATE_LOCK_TIMEOUT_MS: envInteger({ min: 1, max: 60_000, unit: 'milliseconds' }).default(1_000),
  MIGRATE_RETRY_MS: envInteger({ min: 0, max: 24 * HOUR_MS, unit: 'milliseconds' }).default(600_000),
});
type MigrateConfig = z.infer<typeof migrateConfig>;

/** Which service's migrations, where they are, and how the command was called. */
interface MigrateCommand extends CommandCall {
  name: string;
  directory: string;
}

const usage = (
  name: string,
): string => `Brings ${name}'s database (DATABASE_MIGRATION_URL, of the role that owns it) to the last migration
of this version, and grants the role that the service runs as (DATABASE_RUNTIME_ROLE) what it needs.

  node dist/apps/${name}/migrate.js [--status]

  --status  prints what is applied and what is pending, changes nothing, and ends with 3 when something is pending

Ends with 0 when nothing is pending any more, 1 when it could not be done.`;

/** Runs the command and returns its exit code: 0 done, 1 not done, and for --status 3 when something is pending. */
export function runMigrateCommand(command: MigrateCommand): Promise<number> {
  const { name, args, env } = command;
  return reporting(command, async () => {
    const { values } = parseArgs({
      args,
      options: { status: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    });
    if (values.help) {
      command.say(usage(name));
      return 0;
    }
    // Where one role migrates and serves, its URL is the only one there is.
    const DATABASE_MIGRATION_URL = env['DATABASE_MIGRATION_URL'] || env['DATABASE_URL'];
    const config = loadConfig(migrateConfig, { ...env, DATABASE_MIGRATION_URL });
    return values.status ? printStatus(command, config) : apply(command, config);
  });
}

/** All of a service's src/commands/migrate.ts. */
export function migrateCommand(options: { name: string; directory: string }): void {
  runCommand((call) => runMigrateCommand({ ...options, ...call }));
}

async function apply({ name, directory }: MigrateCommand, config: MigrateConfig): Promise<number> {
  const log = createLogger({ name, level: config.LOG_LEVEL });
  const applied = await onceReachable(config.MIGRATE_DATABASE_WAIT_MS, () =>
    applyMigrations({
      connectionString: config.DATABASE_MIGRATION_URL,
      directory,
      log,
      runtimeRole: config.DATABASE_RUNTIME_ROLE ?? runtimeRoleOf(config),
      lockTimeoutMs: config.MIGRATE_LOCK_TIMEOUT_MS,
      retryForMs: config.MIGRATE_RETRY_MS,
    }),
  );
  log.info({ applied }, applied.length > 0 ? 'the database is up to date now' : 'nothing was pending');
  return 0;
}

async function printStatus({ directory, say }: MigrateCommand, config: MigrateConfig): Promise<number> {
  const state = await onceReachable(config.MIGRATE_DATABASE_WAIT_MS, () =>
    schemaState({ connectionString: config.DATABASE_MIGRATION_URL, directory }),
  );
  for (const migration of state.applied) say(`applied ${migration}`);
  for (const name of pendingNames(state)) say(`pending ${name}`);
  for (const migration of state.unknown) say(`newer   ${migration} (not of this version)`);
  return pendingNames(state).length > 0 ? 3 : 0;
}

/** A job may start before its database does; a migration that was cut off by one that goes away is whole or not there. */
async function onceReachable<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + waitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isForLater = isDatabaseUnavailable(error) && !isLoginRefused(error);
      if (!isForLater || Date.now() >= until) throw error;
      await pause(WAIT_POLL_MS);
    }
  }
}
