import { applyMigrations } from '@reseller/database';
import type { ServiceOptions } from '@reseller/service-kit';
import { config } from './config';
import { startIdentity } from './container';

/** The service with its migrations in the given directory, ready to be started. */
export function describeService(migrations: string): ServiceOptions<typeof config> {
  return {
    name: 'identity',
    config,
    migrate: async ({ DATABASE_URL: connectionString }, log) => {
      await applyMigrations({ connectionString, directory: migrations, log });
    },
    start: startIdentity,
  };
}
