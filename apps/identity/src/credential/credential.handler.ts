import type { PartnerServiceService } from '@reseller/contracts';
import type { RpcHandlers } from '@reseller/rpc';
import { requireOperator } from '../audit/operator';
import { createCredential, type CredentialDeps } from './create-credential';
import { toEnvironment } from './environment';
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
      const { credential, clientSecret } = await createCredential(deps, request, requireOperator(call));
      const { clientId, partnerId, environment, createdAt } = credential;
      return { clientId, clientSecret, partnerId, environment: toEnvironment(environment), createdAt };
    },
    async revokeCredential(request, call) {
      const credential = await revokeCredential(deps, request.clientId, requireOperator(call));
      const { clientId, partnerId, environment, revokedAt } = credential;
      return {
        clientId,
        partnerId,
        environment: toEnvironment(environment),
        revokedAt: revokedAt ?? undefined,
      };
    },
  };
}
