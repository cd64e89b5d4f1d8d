import type { AuthenticateOperatorRequest, AuthenticateOperatorResponse } from '@reseller/contracts';
import { AppError, isAppError } from '@reseller/errors';
import type { Exchange } from '@reseller/http-edge';
import { present } from '@reseller/presenters';
import { operatorRoleNameOf, type OperatorRoleName } from '@reseller/rpc';
import type { Clients } from './clients';
import type { FailedAttempts } from './failed-attempts';
import { cookieOf, SESSION_COOKIE } from './sign-in/cookies';
import { requireOwnPage } from './sign-in/csrf';

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
  /** Of the backoffice as operators reach it. */
  readonly origin: () => string;
}

const TOKEN = /^op_[A-Za-z0-9_-]{43}$/;

/**
 * The operator of a request, by its bearer token or else by the session of its cookie, with which a change must come from a page of
 * ours. Throws UNAUTHORIZED_INVALID_TOKEN, FORBIDDEN_CSRF, after twenty bad tokens RATE_LIMITED (spec §18.1, §18.2).
 */
export async function authenticate(
  deps: OperatorsDeps,
  exchange: Exchange,
  { isChange, deadlineAt }: { isChange: boolean; deadlineAt: number },
): Promise<Operator> {
  const { authorization } = exchange.request.headers;
  if (authorization) return authenticateToken(deps, exchange, authorization, deadlineAt);
  const operator = await requireSession(deps, exchange, deadlineAt);
  if (isChange) requireOwnPage(exchange, operator.session, deps.origin());
  return operator;
}

async function authenticateToken(
  deps: OperatorsDeps,
  exchange: Exchange,
  authorization: string,
  deadlineAt: number,
): Promise<Operator> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (token === undefined) throw invalidToken();
  const found = TOKEN.test(token) ? await whoIs(deps, exchange, deadlineAt, { token }) : undefined;
  if (!found) throw deps.attempts.record(exchange, invalidToken());
  return asOperator(found);
}

/** The operator of the request's cookie; throws UNAUTHORIZED_INVALID_TOKEN when nobody is signed in. */
export async function requireSession(
  deps: OperatorsDeps,
  exchange: Exchange,
  deadlineAt: number,
): Promise<Operator & { readonly session: string; readonly expiresAt: Date }> {
  const session = cookieOf(exchange, SESSION_COOKIE);
  const found = session && (await whoIs(deps, exchange, deadlineAt, { session }));
  if (!found) throw invalidToken();
  return { ...asOperator(found), session, expiresAt: present(found.expiresAt, 'expires_at') };
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
  new AppError('UNAUTHORIZED_INVALID_TOKEN', {
    message: 'The operator token or session is missing or not valid.',
  });
