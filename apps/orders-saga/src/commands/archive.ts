import { archiveCommand } from '@reseller/archive';
import { ARCHIVED_TABLES } from '../archive/archived-tables';

archiveCommand({ name: 'orders-saga', tables: ARCHIVED_TABLES.map(({ table }) => table) });
