import { runService } from '@reseller/service-kit';
import { describeServiceLife } from '@reseller/testing/jest';
import { describeService } from '../src/service';
import { MIGRATIONS } from './start-orders';

describeServiceLife({
  name: 'orders-saga',
  table: 'orders',
  jobs: [
    'hour-amounts',
    'journal-retention',
    'order-tasks',
    'order-totals',
    'reconcile',
    'retention',
    'saga-liveness',
    'saga-recovery',
    'vendor-calls',
  ],
  settings: { FINANCE_ADDRESS: '127.0.0.1:1', SCENT_COMMERCE_ADDRESS: '127.0.0.1:1' },
  start: (settings) => runService(describeService(MIGRATIONS), settings),
});
