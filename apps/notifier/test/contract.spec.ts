import { describeContract, notifierContract } from '@reseller/contract-testing/contracts';
import { createTestDatabase } from '@reseller/testing';
import { MIGRATIONS, startNotifier } from './start-notifier';

// What notifier promises to every other service: libs/contract-testing/src/notifier.
describeContract(notifierContract, async () => {
  const database = await createTestDatabase({ migrations: MIGRATIONS });
  const notifier = await startNotifier(database, {
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8',
    DATABASE_POOL_SIZE: '3',
  });
  return {
    address: notifier.address,
    bus: database,
    stop: async () => {
      await notifier.stop();
      await database.drop();
    },
  };
});
