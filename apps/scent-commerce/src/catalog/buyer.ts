import { partnerScopeOf, requirePartner, type CallContext } from '@reseller/rpc';
import type { PartnerProfileRepository } from '../partner/partner-profile.repository';
import type { Buyer } from './domain/variant';

/** For whom a partner's call is priced; without a profile it is the token's path, with neither display currency nor marketing. */
export async function buyerOf(profiles: PartnerProfileRepository, call: CallContext): Promise<Buyer> {
  const { partnerId, path } = requirePartner(call);
  const profile = await profiles.find(partnerId);
  return {
    environment: partnerScopeOf(call).environment,
    path: profile?.ancestors ?? path,
    showsMarketing: profile?.marketingEnabled ?? false,
    displayCurrency: profile?.displayCurrency,
  };
}
