import { runService } from '@reseller/service-kit';
import { describeServiceLife } from '@reseller/testing/jest';
import { describeService } from '../src/service';
import { MIGRATIONS } from './scent-database';

describeServiceLife({
  name: 'scent-commerce',
  table: 'stocked_variants',
  jobs: [
    'abandon-idle-carts',
    'forget-old-sales',
    'notify-back-in-stock',
    'reconcile',
    'remove-unused-carts',
    'retention',
  ],
  settings: { FINANCE_ADDRESS: '127.0.0.1:1' },
  start: (settings) => runService(describeService(MIGRATIONS), settings),
});
