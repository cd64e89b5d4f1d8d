import type { OperatorToken } from '@reseller/contracts';
import { operatorRoleOf } from '@reseller/rpc';
import type { OperatorTokenRecord } from './operator.repository';

/** A token as lists show it. */
export function toOperatorTokenMessage(token: OperatorTokenRecord): OperatorToken {
  return {
    id: token.id,
    name: token.name,
    roles: token.roles.map(operatorRoleOf),
    createdAt: token.createdAt,
    expiresAt: token.expiresAt ?? undefined,
    lastUsedAt: token.lastUsedAt ?? undefined,
    revokedAt: token.revokedAt ?? undefined,
  };
}
