import { AppError, isAppError } from '@reseller/errors';
import type { Exchange } from '@reseller/http-edge';
import { operatorRoleNameOf, type OperatorRoleName } from '@reseller/rpc';
import type { AuthenticateOperatorRequest, AuthenticateOperatorResponse } from '@reseller/contracts';
import type { Clients } from './clients';
import type { FailedAttempts } from './failed-attempts';

/** Who acts, and what he may do. */
export interface Operator {
  readonly name: string;
  /** Whose decisions his count as: a token's are those of the operator who made it. */
  readonly account: string;
  readonly roles: readonly OperatorRoleName[];
}

/** What telling operators apart needs. */
export interface OperatorsDeps {
  readonly clients: Clients;
  readonly attempts: FailedAttempts;
}

const TOKEN = /^op_[A-Za-z0-9_-]{43}$/;

/** The operator of a request's bearer token; throws UNAUTHORIZED_INVALID_TOKEN, after twenty bad ones RATE_LIMITED (spec §18.2). */
export async function authenticate(
  deps: OperatorsDeps,
  exchange: Exchange,
  deadlineAt: number,
): Promise<Operator> {
  const { authorization } = exchange.request.headers;
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw invalidToken();
  const found = TOKEN.test(token) && (await whoIs(deps, exchange, deadlineAt, { token }));
  if (!found) throw deps.attempts.record(exchange, invalidToken());
  return asOperator(found);
}

/** Whom identity knows by a secret; undefined for nobody. */
async function whoIs(
  { clients }: OperatorsDeps,
  { requestId }: Exchange,
  deadlineAt: number,
  secret: AuthenticateOperatorRequest,
): Promise<AuthenticateOperatorResponse | undefined> {
  try {
    return await clients.operators.authenticateOperator(secret, { requestId, deadlineAt });
  } catch (error) {
    if (isAppError(error) && error.code === 'UNAUTHORIZED_INVALID_TOKEN') return undefined;
    throw error;
  }
}

const asOperator = ({ name, account, roles }: AuthenticateOperatorResponse): Operator => ({
  name,
  account,
  roles: roles.map(operatorRoleNameOf).filter((role) => role !== undefined),
});

const invalidToken = (): AppError =>
  new AppError('UNAUTHORIZED_INVALID_TOKEN', { message: 'The operator token is missing or not valid.' });
