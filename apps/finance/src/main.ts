import { serviceMigrations } from '@reseller/database';
import { startService } from '@reseller/service-kit';
import path from 'node:path';
import { config } from './config';
import { startFinance } from './container';

void startService({
  name: 'finance',
  config,
  ...serviceMigrations(path.join(__dirname, 'migrations')),
  start: startFinance,
});
