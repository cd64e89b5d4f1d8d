import { parkedEventsCommand } from '@reseller/messaging';

parkedEventsCommand({ name: 'scent-commerce' });
