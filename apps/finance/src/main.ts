import { applyMigrations } from '@reseller/database';
import { startService } from '@reseller/service-kit';
import path from 'node:path';
import { config } from './config';
import { startFinance } from './container';

void startService({
  name: 'finance',
  config,
  migrate: async ({ DATABASE_URL: connectionString }, log) => {
    await applyMigrations({ connectionString, directory: path.join(__dirname, 'migrations'), log });
  },
  start: startFinance,
});
