import { parkedEventsCommand } from '@reseller/messaging';

parkedEventsCommand({ name: 'finance' });
