import type { Logger } from 'pino';
import { applyMigrations, schemaState } from './apply-migrations';
import { databaseAddress, directAddress, type DatabaseSettings } from './database-address';
import { pendingNames } from './migration-records';
import { keepRoleLimits } from './role-limits';
import { runtimeRoleOf } from './runtime-role';

interface Settings extends DatabaseSettings {
  DATABASE_MIGRATION_URL?: string | undefined;
}

/** What a service says of its database's schema; spread it into the options of startService. Both go past a pooler. */
export function serviceMigrations(directory: string): {
  migrate: (config: Settings, log: Logger) => Promise<void>;
  pendingMigrations: (config: Settings) => Promise<string[]>;
} {
  return {
    migrate: async (settings, log) => {
      const address = databaseAddress(settings);
      const connectionString = settings.DATABASE_MIGRATION_URL ?? directAddress(address);
      await applyMigrations({ connectionString, directory, log, runtimeRole: runtimeRoleOf(settings) });
      await keepRoleLimits(address);
    },
    pendingMigrations: async (settings) => {
      const address = databaseAddress(settings);
      const pending = pendingNames(
        await schemaState({ connectionString: directAddress(address), directory }),
      );
      if (pending.length === 0) await keepRoleLimits(address);
      return pending;
    },
  };
}
