import type { PartnerServiceService } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import type { RpcHandlers } from '@reseller/rpc';
import { requireOperator } from '../audit/operator';
import type { PartnerDeps } from '../partner/create-partner';
import { getPartner } from '../partner/get-partner';
import { createCredential, type CredentialDeps } from './create-credential';
import {
  toCreatedCredentialMessage,
  toCredentialMessage,
  toRevokedCredentialMessage,
  toSignInMessage,
} from './credential.mapper';
import { revokeCredential } from './revoke-credential';
import type { SignInRepository } from './sign-in.repository';

/** The part of the partner service that deals with credentials. */
type CredentialHandlers = Pick<
  RpcHandlers<typeof PartnerServiceService>,
  'createCredential' | 'revokeCredential' | 'listCredentials' | 'listSignIns'
>;

/** The credential methods, ready to be joined with the partner ones. */
export function createCredentialHandlers(
  deps: CredentialDeps & Pick<PartnerDeps, 'partners'> & { signIns: SignInRepository },
): CredentialHandlers {
  return {
    async createCredential(request, call) {
      const { credential, clientSecret } = await createCredential(deps, requireOperator(call), request);
      return toCreatedCredentialMessage(credential, clientSecret);
    },
    async revokeCredential({ clientId }, call) {
      return toRevokedCredentialMessage(await revokeCredential(deps, requireOperator(call), clientId));
    },
    async listCredentials({ partnerId, page }) {
      const { id } = await getPartner(deps, partnerId);
      const { credentials, totalCount } = await deps.credentials.list(id, pageBounds(page));
      return { credentials: credentials.map(toCredentialMessage), page: toPageInfo(page, totalCount) };
    },
    async listSignIns({ partnerId, page }) {
      const { id } = await getPartner(deps, partnerId);
      const { signIns, totalCount } = await deps.signIns.list(id, pageBounds(page));
      return { signIns: signIns.map(toSignInMessage), page: toPageInfo(page, totalCount) };
    },
  };
}
