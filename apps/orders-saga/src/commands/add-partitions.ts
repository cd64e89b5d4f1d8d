import { addPartitionsCommand } from '@reseller/messaging';

addPartitionsCommand({ name: 'orders-saga' });
