import { AppError } from '@reseller/errors';
import { isUuid } from '@reseller/rpc';
import type { Operator } from '../audit/operator';
import type { OperatorDeps } from './operator-deps';
import type { OperatorTokenRecord } from './operator.repository';

/** Revokes a token at once; a second time returns the first revocation. Throws NOT_FOUND_OPERATOR_TOKEN. */
export async function revokeOperatorToken(
  { transact, operators, audit, clock }: OperatorDeps,
  operator: Operator,
  id: string,
): Promise<OperatorTokenRecord> {
  if (!isUuid(id)) throw new AppError('NOT_FOUND_OPERATOR_TOKEN');
  return transact(async (tx) => {
    const revoked = await operators.revokeToken(id, clock.now(), tx);
    if (!revoked) throw new AppError('NOT_FOUND_OPERATOR_TOKEN');
    const { token, isFirst } = revoked;
    const entry = { action: 'operator-token.revoke', subject: id, details: { name: token.name } };
    if (isFirst) await audit.append({ ...operator, ...entry }, tx);
    return token;
  });
}
