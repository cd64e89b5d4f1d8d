import type { CreateOperatorTokenRequest } from '@reseller/contracts';
import { v7 as newId } from 'uuid';
import type { Operator } from '../audit/operator';
import type { OperatorDeps } from './operator-deps';
import { requireToken } from './operator-faults';
import type { OperatorTokenRecord } from './operator.repository';

/**
 * Makes a token that counts as the operator who makes it and returns its secret, which is stored nowhere; throws VALIDATION_FAILED.
 * Not idempotent.
 */
export async function createOperatorToken(
  { transact, operators, secrets, audit, clock }: Omit<OperatorDeps, 'sessionMs'>,
  operator: Operator,
  account: string,
  request: CreateOperatorTokenRequest,
): Promise<{ token: OperatorTokenRecord; secret: string }> {
  const createdAt = clock.now();
  const fields = requireToken(request, createdAt);
  const { secret, stored } = secrets.create('token');
  const token = { ...fields, id: newId(), account, createdAt };
  const details = { ...fields, expiresAt: fields.expiresAt?.toISOString() ?? null };
  await transact(async (tx) => {
    await operators.insertToken({ ...token, hashed: stored }, tx);
    await audit.append({ ...operator, action: 'operator-token.create', subject: token.id, details }, tx);
  });
  return { token: { ...token, lastUsedAt: null, revokedAt: null }, secret };
}
