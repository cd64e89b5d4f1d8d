import { Fake } from '../fake';
import { identityPartner } from './partner-messages';

/** identity as its consumers see it: every partner they ask for is there. */
export const fakeIdentity = (): Fake =>
  new Fake({
    'PartnerService.GetPartner': ({ partner_id: id }) => ({
      partner: identityPartner(String(id), { tax_registration_number: '311' }),
    }),
  });
