import { PartnerServiceService } from '@reseller/contracts';
import { Fake } from '../fakes/fake';

/** identity as its consumers see it: every partner they ask for is there. */
export const fakeIdentity = (): Fake =>
  new Fake('identity').on(PartnerServiceService, {
    getPartner: ({ partnerId }) => ({
      partner: {
        id: partnerId,
        globalId: `PRT-${partnerId.slice(-12)}`,
        name: 'Acme',
        path: [partnerId],
        taxRegistrationNumber: '311',
      },
    }),
  });
