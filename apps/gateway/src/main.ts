import { startService } from '@reseller/service-kit';
import { describeService } from './service';

void startService(describeService());
