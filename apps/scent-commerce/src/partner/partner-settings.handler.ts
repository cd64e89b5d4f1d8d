import { PartnerSettingsServiceService } from '@reseller/contracts';
import { validationFailed } from '@reseller/errors';
import { defineRpc, type RpcService } from '@reseller/rpc';
import { awaitPartnerVersion } from './await-partner-version';
import type { PartnerProfileRepository } from './partner-profile.repository';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Serves reseller.scent.v1.PartnerSettingsService. */
export function createPartnerSettingsService(profiles: PartnerProfileRepository): RpcService {
  return defineRpc(PartnerSettingsServiceService, {
    async awaitPartnerSettings({ partnerId, version }, call) {
      if (!UUID.test(partnerId)) throw validationFailed([{ path: 'partnerId', message: 'expected a uuid' }]);
      return { isSeen: await awaitPartnerVersion(profiles, { partnerId, version }, call) };
    },
  });
}
