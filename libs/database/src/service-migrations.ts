import type { Logger } from 'pino';
import { applyMigrations, schemaState } from './apply-migrations';
import { pendingNames } from './migration-records';
import { runtimeRoleOf } from './runtime-role';

interface Settings {
  DATABASE_URL: string;
  DATABASE_MIGRATION_URL?: string | undefined;
}

/** What a service says of its database's schema; spread it into the options of startService. */
export function serviceMigrations(directory: string): {
  migrate: (config: Settings, log: Logger) => Promise<void>;
  pendingMigrations: (config: Settings) => Promise<string[]>;
} {
  return {
    migrate: async (settings, log) => {
      const connectionString = settings.DATABASE_MIGRATION_URL ?? settings.DATABASE_URL;
      await applyMigrations({ connectionString, directory, log, runtimeRole: runtimeRoleOf(settings) });
    },
    pendingMigrations: async ({ DATABASE_URL: connectionString }) =>
      pendingNames(await schemaState({ connectionString, directory })),
  };
}
