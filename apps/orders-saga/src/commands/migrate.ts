import { migrateCommand } from '@reseller/database';
import path from 'node:path';

migrateCommand({ name: 'orders-saga', directory: path.join(__dirname, 'migrations') });
