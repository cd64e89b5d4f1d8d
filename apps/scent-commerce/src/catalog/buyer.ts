import { requirePartner, type CallContext } from '@reseller/rpc';
import type { PartnerProfileRepository } from '../partner/partner-profile.repository';
import type { Buyer } from './domain/variant';

/**
 * For whom a partner's call is priced. The settings are those last heard of; for a partner not heard of yet the token's
 * path stands in, with neither display currency nor marketing.
 */
export async function buyerOf(profiles: PartnerProfileRepository, call: CallContext): Promise<Buyer> {
  const { partnerId, path } = requirePartner(call);
  const profile = await profiles.find(partnerId);
  return {
    path: profile?.ancestors ?? path,
    showsMarketing: profile?.marketingEnabled ?? false,
    displayCurrency: profile?.displayCurrency,
  };
}
