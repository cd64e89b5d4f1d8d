import { serviceMigrations } from '@reseller/database';
import { startService } from '@reseller/service-kit';
import path from 'node:path';
import { config } from './config';
import { startOrdersSaga } from './container';

void startService({
  name: 'orders-saga',
  config,
  ...serviceMigrations(path.join(__dirname, 'migrations')),
  start: startOrdersSaga,
});
