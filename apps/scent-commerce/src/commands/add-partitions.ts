import { addPartitionsCommand } from '@reseller/messaging';

addPartitionsCommand({ name: 'scent-commerce' });
