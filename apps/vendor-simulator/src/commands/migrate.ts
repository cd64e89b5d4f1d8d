import { migrateCommand } from '@reseller/database';
import path from 'node:path';

migrateCommand({ name: 'vendor-simulator', directory: path.join(__dirname, 'migrations') });
