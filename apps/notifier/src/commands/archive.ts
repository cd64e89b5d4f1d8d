import { archiveCommand } from '@reseller/archive';
import { ARCHIVED_TABLES } from '../archive/archived-tables';

archiveCommand({ name: 'notifier', tables: ARCHIVED_TABLES.map(({ table }) => table) });
