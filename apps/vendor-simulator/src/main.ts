import path from 'node:path';
import { serviceMigrations } from '@reseller/database';
import { startService } from '@reseller/service-kit';
import { configSchema } from './config';
import { createVendorSimulator } from './container';

void startService({
  name: 'vendor-simulator',
  speaksRpc: false,
  config: configSchema,
  ...serviceMigrations(path.join(__dirname, 'migrations')),
  start: createVendorSimulator,
});
