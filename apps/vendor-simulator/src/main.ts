import path from 'node:path';
import { applyMigrations } from '@reseller/database';
import { startService } from '@reseller/service-kit';
import { configSchema } from './config';
import { createParts } from './container';

void startService({
  name: 'vendor-simulator',
  config: configSchema,
  migrate: async (config, log) => {
    const directory = path.join(__dirname, 'migrations');
    await applyMigrations({ connectionString: config.DATABASE_URL, directory, log });
  },
  start: createParts,
});
