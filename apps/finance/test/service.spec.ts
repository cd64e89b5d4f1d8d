import { runService } from '@reseller/service-kit';
import { describeServiceLife } from '@reseller/testing/jest';
import { describeService } from '../src/service';
import { MIGRATIONS, NOWHERE } from './finance-service';

describeServiceLife({
  name: 'finance',
  table: 'wallets',
  jobs: ['copy-statements', 'reconcile', 'retention'],
  settings: { IDENTITY_ADDRESS: NOWHERE },
  start: (settings) => runService(describeService(MIGRATIONS), settings),
});
