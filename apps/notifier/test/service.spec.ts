import { runService } from '@reseller/service-kit';
import { describeServiceLife } from '@reseller/testing/jest';
import { describeService } from '../src/service';
import { MIGRATIONS, SEALING_KEY } from './start-notifier';

describeServiceLife({
  name: 'notifier',
  table: 'webhook_events',
  jobs: ['retention', 'webhook-count-folding', 'webhook-housekeeping'],
  settings: { WEBHOOK_SECRET_KEYS: SEALING_KEY },
  start: (settings) => runService(describeService(MIGRATIONS), settings),
});
