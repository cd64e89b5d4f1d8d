import { describeContract, ordersContract, startSubject } from '@reseller/contract-testing';
import { createPostgresEventBus } from '@reseller/messaging';
import { runService } from '@reseller/service-kit';
import { createTestDatabase, silentLog } from '@reseller/testing';
import { config } from '../src/config';
import { createContainer } from '../src/container';
import { BRIEF, MIGRATIONS } from './start-orders';

// What orders-saga promises to every other service: libs/contract-testing/src/orders.
describeContract(
  ordersContract,
  () =>
    startSubject(ordersContract, async (dependencies) => {
      const database = await createTestDatabase({ migrations: MIGRATIONS });
      const busDatabase = await createTestDatabase();
      const running = await runService(
        { name: 'orders-saga', config, start: createContainer },
        {
          NODE_ENV: 'test',
          LOG_LEVEL: 'silent',
          DATABASE_URL: database.serviceUrl,
          EVENT_BUS_URL: busDatabase.url,
          FINANCE_ADDRESS: dependencies['finance'],
          SCENT_COMMERCE_ADDRESS: dependencies['scent-commerce'],
          DUPLICATE_WAIT_MS: '400',
          ...BRIEF,
          SAGA_PARK_AFTER_MS: '300',
          PLATFORM_TAX_REGISTRATION_NUMBER: '300000000000003',
          RECOVERY_INTERVAL_MS: '50',
          ERASURE_HASH_KEY: `test:${'e'.repeat(32)}`,
        },
      );
      return {
        address: `127.0.0.1:${running.grpcPort}`,
        bus: createPostgresEventBus({ connectionString: busDatabase.url, log: silentLog }),
        stop: async () => {
          await running.stop();
          await database.drop();
          await busDatabase.drop();
        },
      };
    }),
  { hasGolden: true },
);
