import { migrateCommand } from '@reseller/database';
import path from 'node:path';

migrateCommand({ name: 'scent-commerce', directory: path.join(__dirname, 'migrations') });
