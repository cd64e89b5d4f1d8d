import { migrateCommand } from '@reseller/database';
import path from 'node:path';

migrateCommand({ name: 'identity', directory: path.join(__dirname, 'migrations') });
