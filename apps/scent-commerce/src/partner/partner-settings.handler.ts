import type { PartnerSettingsServiceService } from '@reseller/contracts';
import { awaitPartnerVersion } from '@reseller/messaging';
import type { RpcHandlers } from '@reseller/rpc';
import { checkIds } from '../check-ids';
import type { PartnerProfileRepository } from './partner-profile.repository';

/** Serves reseller.scent.v1.PartnerSettingsService. */
export function createPartnerSettingsHandlers(
  profiles: PartnerProfileRepository,
): RpcHandlers<typeof PartnerSettingsServiceService> {
  return {
    async awaitPartnerSettings({ partnerId, version }, call) {
      checkIds({ partnerId });
      return { isSeen: await awaitPartnerVersion(profiles, { partnerId, version }, call) };
    },
  };
}
