import { describeContract, identityContract, startSubject } from '@reseller/contract-testing';
import { createPostgresEventBus } from '@reseller/messaging';
import { runService } from '@reseller/service-kit';
import { createTestDatabase, silentLog } from '@reseller/testing';
import { describeService } from '../src/service';
import { MIGRATIONS, keysAsText, settings } from './identity-fixture';

// What identity promises to every other service: libs/contract-testing/src/identity.
describeContract(
  identityContract,
  () =>
    startSubject(identityContract, async () => {
      const database = await createTestDatabase({ migrations: MIGRATIONS });
      const busDatabase = await createTestDatabase();
      const running = await runService(describeService(MIGRATIONS), {
        NODE_ENV: 'test',
        DATABASE_URL: database.serviceUrl,
        EVENT_BUS_URL: busDatabase.url,
        LOG_LEVEL: 'silent',
        TOKEN_ISSUER: settings.TOKEN_ISSUER,
        ...keysAsText,
      });
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
