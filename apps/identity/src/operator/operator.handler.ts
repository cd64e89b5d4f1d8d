import type { OperatorServiceService } from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import { operatorAccountOf, operatorRoleOf, type RpcHandlers } from '@reseller/rpc';
import { requireOperator } from '../audit/operator';
import { authenticateOperator } from './authenticate-operator';
import { createOperatorToken } from './create-operator-token';
import type { OperatorDeps } from './operator-deps';
import { beginOperatorSession, endOperatorSession, useOperatorSignIn } from './operator-session';
import { toOperatorTokenMessage } from './operator.mapper';
import { revokeOperatorToken } from './revoke-operator-token';

/** The methods of the operator service. */
export function createOperatorHandlers(deps: OperatorDeps): RpcHandlers<typeof OperatorServiceService> {
  return {
    async authenticateOperator(request) {
      const { name, account, roles, expiresAt } = await authenticateOperator(deps, request);
      return { name, account, roles: roles.map(operatorRoleOf), expiresAt: expiresAt ?? undefined };
    },
    async createOperatorToken(request, call) {
      const operator = requireOperator(call);
      const { token, secret } = await createOperatorToken(deps, operator, operatorAccountOf(call), request);
      return { operatorToken: toOperatorTokenMessage(token), token: secret };
    },
    async listOperatorTokens({ page }) {
      const { tokens, totalCount } = await deps.operators.listTokens(pageBounds(page));
      return { operatorTokens: tokens.map(toOperatorTokenMessage), page: toPageInfo(page, totalCount) };
    },
    async revokeOperatorToken({ id }, call) {
      const token = await revokeOperatorToken(deps, requireOperator(call), id);
      return { operatorToken: toOperatorTokenMessage(token) };
    },
    async useOperatorSignIn({ signIn }) {
      await useOperatorSignIn(deps, signIn);
      return {};
    },
    async beginOperatorSession({ roles }, call) {
      return beginOperatorSession(deps, requireOperator(call), operatorAccountOf(call), roles);
    },
    async endOperatorSession({ session }, call) {
      await endOperatorSession(deps, requireOperator(call), operatorAccountOf(call), session);
      return {};
    },
  };
}
