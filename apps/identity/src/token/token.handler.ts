import type { TokenServiceService } from '@reseller/contracts';
import type { RpcHandlers } from '@reseller/rpc';
import type { KeyRing } from '../signing-key/key-ring';
import { getRevocations } from './get-revocations';
import { issueToken, type TokenDeps } from './issue-token';
import type { RevocationRepository } from './revocation.repository';

/** The methods of the token service. */
export function createTokenHandlers(
  deps: TokenDeps & { keyRing: KeyRing; revocations: RevocationRepository },
): RpcHandlers<typeof TokenServiceService> {
  return {
    issueToken: (request, { requestId }) => issueToken(deps, requestId, request),
    getJwks: () => deps.keyRing.publish(),
    getRevocations: (request) => getRevocations(deps.revocations, request),
  };
}
