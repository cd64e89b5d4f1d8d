import { parkedEventsCommand } from '@reseller/messaging';

parkedEventsCommand({ name: 'orders-saga' });
