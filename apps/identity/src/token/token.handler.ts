import type { TokenServiceService } from '@reseller/contracts';
import type { RpcHandlers } from '@reseller/rpc';
import type { KeyRing } from '../signing-key/key-ring';
import { issueToken, type TokenDeps } from './issue-token';

/** The methods of the token service. */
export function createTokenHandlers(
  deps: TokenDeps & { keyRing: KeyRing },
): RpcHandlers<typeof TokenServiceService> {
  return {
    issueToken: (request, { requestId }) => issueToken(deps, requestId, request),
    getJwks: () => deps.keyRing.publish(),
  };
}
