import type { PartnerServiceService } from '@reseller/contracts';
import type { RpcHandlers } from '@reseller/rpc';
import { requireOperator } from '../audit/operator';
import { createCredential, type CredentialDeps } from './create-credential';
import { toCreatedCredentialMessage, toRevokedCredentialMessage } from './credential.mapper';
import { revokeCredential } from './revoke-credential';

/** The part of the partner service that deals with credentials. */
export type CredentialHandlers = Pick<
  RpcHandlers<typeof PartnerServiceService>,
  'createCredential' | 'revokeCredential'
>;

/** The credential methods, ready to be joined with the partner ones. */
export function createCredentialHandlers(deps: CredentialDeps): CredentialHandlers {
  return {
    async createCredential(request, call) {
      const { credential, clientSecret } = await createCredential(deps, requireOperator(call), request);
      return toCreatedCredentialMessage(credential, clientSecret);
    },
    async revokeCredential({ clientId }, call) {
      return toRevokedCredentialMessage(await revokeCredential(deps, requireOperator(call), clientId));
    },
  };
}
