import path from 'node:path';
import { applyMigrations } from '@reseller/database';
import { startService } from '@reseller/service-kit';
import { configSchema } from './config';
import { createParts } from './container';

void startService({
  name: 'vendor-simulator',
  config: configSchema,
  migrate: (config, log) =>
    applyMigrations({
      connectionString: config.DATABASE_URL,
      directory: path.join(__dirname, 'migrations'),
      log,
    }),
  start: createParts,
});
