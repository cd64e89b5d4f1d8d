import { TokenServiceService } from '@reseller/contracts';
import { defineRpc, type RpcService } from '@reseller/rpc';
import type { KeyRing } from '../signing-key/key-ring';
import { issueToken, type IssueTokenDeps } from './issue-token';

/** The token service as callers reach it. */
export function createTokenService(deps: IssueTokenDeps & { keyRing: KeyRing }): RpcService {
  return defineRpc(TokenServiceService, {
    issueToken: (request, call) => issueToken(deps, request, call.requestId),
    getJwks: () => deps.keyRing.publish(),
  });
}
