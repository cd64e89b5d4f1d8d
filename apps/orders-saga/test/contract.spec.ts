import { describeContract, ordersContract } from '@reseller/contract-testing/contracts';
import { runService } from '@reseller/service-kit';
import { startTestService } from '@reseller/testing';
import { describeService } from '../src/service';
import { MIGRATIONS, PATIENT } from './start-orders';

// What orders-saga promises to every other service: libs/contract-testing/src/orders.
describeContract(ordersContract, (dependencies) =>
  startTestService({
    migrations: MIGRATIONS,
    settings: {
      FINANCE_ADDRESS: dependencies['finance'],
      SCENT_COMMERCE_ADDRESS: dependencies['scent-commerce'],
      ...PATIENT,
      // So long it waits where a dependency is away; what can succeed has a second more. Decisions that can succeed share the machine
      // with several that wait.
      SAGA_BUDGET_MS: '5000',
      DECISION_WAIT_MS: '10000',
      DUPLICATE_WAIT_MS: '400',
      SAGA_PARK_AFTER_MS: '300',
      PLATFORM_TAX_REGISTRATION_NUMBER: '300000000000003',
      RECOVERY_INTERVAL_MS: '50',
      DATABASE_POOL_SIZE: '3',
      ERASURE_HASH_KEY: `test:${'e'.repeat(32)}`,
    },
    start: (env) => runService(describeService(MIGRATIONS), env),
  }),
);
