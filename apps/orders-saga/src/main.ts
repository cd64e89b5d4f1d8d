import { startService } from '@reseller/service-kit';
import path from 'node:path';
import { describeService } from './service';

void startService(describeService(path.join(__dirname, 'migrations')));
