import type { PartnerServiceService } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import { RequestCheck, type RpcHandlers } from '@reseller/rpc';
import { requireOperator } from '../audit/operator';
import { createPartner, type PartnerDeps } from './create-partner';
import { getPartner } from './get-partner';
import { toPartnerMessage } from './partner.mapper';
import { setPartnerFrozen } from './set-partner-frozen';
import { updatePartner } from './update-partner';

/** The part of the partner service that deals with partners. */
type PartnerHandlers = Omit<
  RpcHandlers<typeof PartnerServiceService>,
  'createCredential' | 'revokeCredential' | 'listCredentials' | 'listSignIns'
>;

/** The partner methods, ready to be joined with the credential ones. */
export function createPartnerHandlers(deps: PartnerDeps): PartnerHandlers {
  return {
    async createPartner(request, call) {
      return { partner: toPartnerMessage(await createPartner(deps, requireOperator(call), request)) };
    },
    async updatePartner(request, call) {
      return { partner: toPartnerMessage(await updatePartner(deps, requireOperator(call), request)) };
    },
    async setPartnerFrozen(request, call) {
      return { partner: toPartnerMessage(await setPartnerFrozen(deps, requireOperator(call), request)) };
    },
    async getPartner({ partnerId }) {
      return { partner: toPartnerMessage(await getPartner(deps, partnerId)) };
    },
    async listPartners({ page, parentPartnerId }) {
      const check = new RequestCheck();
      const parent =
        parentPartnerId === undefined ? undefined : check.uuid('parentPartnerId', parentPartnerId);
      check.end();
      const { partners, totalCount } = await deps.partners.list(pageBounds(page), parent);
      return { partners: partners.map(toPartnerMessage), page: toPageInfo(page, totalCount) };
    },
    async searchPartners({ text, limit }) {
      const bounds = pageBounds({ page: 1, pageSize: limit });
      return { partners: (await deps.partners.search(text, bounds.limit)).map(toPartnerMessage) };
    },
    async getPartnerNames({ partnerIds }) {
      const names = await deps.partners.listNames(partnerIds);
      return { names: names.map(({ id: partnerId, name }) => ({ partnerId, name })) };
    },
  };
}
