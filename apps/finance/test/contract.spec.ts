import { describeContract, financeContract, FOUR_EYES_ABOVE_SAR } from '@reseller/contract-testing/contracts';
import { startFinanceService } from './finance-service';

// What finance promises to every other service: libs/contract-testing/src/finance.
describeContract(financeContract, ({ identity = '' }) =>
  startFinanceService({
    IDENTITY_ADDRESS: identity,
    FOUR_EYES_ABOVE_SAR,
    PLATFORM_TAX_REGISTRATION_NUMBER: '300000000000003',
  }),
);
