import { describeContract, identityContract } from '@reseller/contract-testing/contracts';
import { runService } from '@reseller/service-kit';
import { startTestService } from '@reseller/testing';
import { describeService } from '../src/service';
import { MIGRATIONS, keysAsText, settings } from './identity-fixture';

// What identity promises to every other service: libs/contract-testing/src/identity.
describeContract(identityContract, () =>
  startTestService({
    migrations: MIGRATIONS,
    settings: { TOKEN_ISSUER: settings.TOKEN_ISSUER, ...keysAsText },
    start: (env) => runService(describeService(MIGRATIONS), env),
  }),
);
