import { deadLettersCommand } from '@reseller/messaging';
import { createConsumers } from '../dead-letters.container';

deadLettersCommand({ name: 'finance', consumers: createConsumers });
