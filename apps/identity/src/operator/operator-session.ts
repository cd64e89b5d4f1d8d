import type { OperatorRole } from '@reseller/contracts';
import { AppError, validationFailed } from '@reseller/errors';
import type { Operator } from '../audit/operator';
import type { OperatorDeps } from './operator-deps';
import { requireRoles } from './operator-faults';

/** Uses up an attempt to sign in; throws UNAUTHORIZED_INVALID_TOKEN the second time, VALIDATION_FAILED without one. */
export async function useOperatorSignIn(
  { operators, secrets, clock }: OperatorDeps,
  signIn: string,
): Promise<void> {
  if (signIn.length < 16 || signIn.length > 200)
    throw validationFailed([{ path: 'signIn', message: 'must be 16 to 200 characters' }]);
  if (!(await operators.useSignIn(secrets.hashesOf('sign-in', signIn), clock.now())))
    throw new AppError('UNAUTHORIZED_INVALID_TOKEN', { message: 'This sign-in was finished before.' });
}

/** Begins a session under a new secret, which is stored nowhere; throws VALIDATION_FAILED without a role (spec §18.1). */
export async function beginOperatorSession(
  { transact, operators, secrets, audit, clock, sessionMs }: OperatorDeps,
  operator: Operator,
  account: string,
  requested: readonly OperatorRole[],
): Promise<{ session: string; expiresAt: Date }> {
  const roles = requireRoles(requested);
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + sessionMs);
  const { secret, stored } = secrets.create('session');
  const session = { name: operator.operator, account, roles, createdAt, expiresAt };
  await transact(async (tx) => {
    await operators.insertSession({ ...session, sessionHash: stored.hash }, tx);
    await audit.append({ ...operator, action: 'operator.sign-in', subject: account, details: { roles } }, tx);
  });
  return { session: secret, expiresAt };
}

/** Ends a session at once; what has ended already stays so. */
export async function endOperatorSession(
  { transact, operators, secrets, audit }: OperatorDeps,
  operator: Operator,
  account: string,
  session: string,
): Promise<void> {
  await transact(async (tx) => {
    if (await operators.deleteSession(secrets.hashesOf('session', session), tx))
      await audit.append({ ...operator, action: 'operator.sign-out', subject: account }, tx);
  });
}
