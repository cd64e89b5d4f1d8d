import type { Logger } from 'pino';
import { applyMigrations, schemaState } from './apply-migrations';
import { pendingNames } from './migration-records';

interface Settings {
  DATABASE_URL: string;
}

/** What a service says of its database's schema; spread it into the options of startService. */
export function serviceMigrations(directory: string): {
  migrate: (config: Settings, log: Logger) => Promise<void>;
  pendingMigrations: (config: Settings) => Promise<string[]>;
} {
  return {
    migrate: async ({ DATABASE_URL: connectionString }, log) => {
      await applyMigrations({ connectionString, directory, log });
    },
    pendingMigrations: async ({ DATABASE_URL: connectionString }) =>
      pendingNames(await schemaState({ connectionString, directory })),
  };
}
