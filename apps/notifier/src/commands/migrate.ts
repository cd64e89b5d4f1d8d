import { migrateCommand } from '@reseller/database';
import path from 'node:path';

migrateCommand({ name: 'notifier', directory: path.join(__dirname, 'migrations') });
