import { applyMigrations } from '@reseller/database';
import { startService } from '@reseller/service-kit';
import path from 'node:path';
import { config } from './config';
import { startOrdersSaga } from './container';

void startService({
  name: 'orders-saga',
  config,
  migrate: async ({ DATABASE_URL: connectionString }, log) => {
    await applyMigrations({ connectionString, directory: path.join(__dirname, 'migrations'), log });
  },
  start: startOrdersSaga,
});
