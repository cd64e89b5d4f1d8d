import { PartnerSettingsServiceService } from '@reseller/contracts';
import { defineRpc, type RpcService } from '@reseller/rpc';
import { requireUuids } from '../uuid';
import { awaitPartnerVersion } from './await-partner-version';
import type { PartnerProfileRepository } from './partner-profile.repository';

/** Serves reseller.scent.v1.PartnerSettingsService. */
export function createPartnerSettingsService(profiles: PartnerProfileRepository): RpcService {
  return defineRpc(PartnerSettingsServiceService, {
    async awaitPartnerSettings({ partnerId, version }, call) {
      requireUuids({ partnerId });
      return { isSeen: await awaitPartnerVersion(profiles, { partnerId, version }, call) };
    },
  });
}
