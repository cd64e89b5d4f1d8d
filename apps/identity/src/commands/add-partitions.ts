import { addPartitionsCommand } from '@reseller/messaging';

addPartitionsCommand({ name: 'identity' });
