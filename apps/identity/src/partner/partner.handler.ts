import { PartnerServiceService } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import { defineRpc, type RpcService } from '@reseller/rpc';
import type { Pool } from 'pg';
import type { AuditRepository } from '../audit/audit.repository';
import { requireOperator } from '../audit/operator';
import type { CredentialHandlers } from '../credential/credential.handler';
import { createPartner } from './create-partner';
import { getPartner } from './get-partner';
import { toPartnerMessage } from './partner.mapper';
import type { PartnerRepository } from './partner.repository';
import { updatePartner } from './update-partner';

/** What the partner service works with. */
export interface PartnerHandlerDeps {
  pool: Pool;
  partners: PartnerRepository;
  audit: AuditRepository;
  credentialHandlers: CredentialHandlers;
}

/** The partner service as callers reach it. */
export function createPartnerService(deps: PartnerHandlerDeps): RpcService {
  return defineRpc(PartnerServiceService, {
    ...deps.credentialHandlers,
    async createPartner(request, call) {
      return { partner: toPartnerMessage(await createPartner(deps, request, requireOperator(call))) };
    },
    async updatePartner(request, call) {
      return { partner: toPartnerMessage(await updatePartner(deps, request, requireOperator(call))) };
    },
    async getPartner(request) {
      return { partner: toPartnerMessage(await getPartner(deps.partners, request.partnerId)) };
    },
    async listPartners(request) {
      const { partners, totalCount } = await deps.partners.list(pageBounds(request.page));
      return { partners: partners.map(toPartnerMessage), page: toPageInfo(request.page, totalCount) };
    },
  });
}
