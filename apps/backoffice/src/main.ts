import { startService } from '@reseller/service-kit';
import { backofficeConfig } from './config';
import { createParts } from './container';

void startService({ name: 'backoffice', config: backofficeConfig, start: createParts });
