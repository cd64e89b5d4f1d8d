import { migrateCommand } from '@reseller/database';
import path from 'node:path';

migrateCommand({ name: 'finance', directory: path.join(__dirname, 'migrations') });
