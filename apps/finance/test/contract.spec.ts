import {
  describeContract,
  financeContract,
  FOUR_EYES_ABOVE_SAR,
  startSubject,
} from '@reseller/contract-testing';
import { createPostgresEventBus } from '@reseller/messaging';
import { silentLog } from '@reseller/testing';
import { startFinanceService } from './finance-service';

// What finance promises to every other service: libs/contract-testing/src/finance.
describeContract(
  financeContract,
  () =>
    startSubject(financeContract, async ({ identity }) => {
      const finance = await startFinanceService({
        IDENTITY_ADDRESS: identity ?? '',
        FOUR_EYES_ABOVE_SAR,
        PLATFORM_TAX_REGISTRATION_NUMBER: '300000000000003',
      });
      const bus = createPostgresEventBus({ connectionString: finance.bus.url, log: silentLog });
      return { address: finance.address, bus, stop: finance.stop };
    }),
  { hasGolden: true },
);
