import { addPartitionsCommand } from '@reseller/messaging';

addPartitionsCommand({ name: 'finance' });
