import { AppError, isAppError } from '@reseller/errors';
import {
  CHANGE_DEADLINE_MS,
  redirectPage,
  type Exchange,
  type Page,
  type PostPage,
} from '@reseller/http-edge';
import { operatorRoleOf } from '@reseller/rpc';
import { requireSession, type OperatorsDeps } from '../operators';
import { clearCookie, cookieOf, SESSION_COOKIE, setCookie, SIGN_IN_COOKIE } from './cookies';
import { csrfTokenOf, requireOwnPage } from './csrf';
import type { IdentityProvider } from './identity-provider';
import { beginAttempt, readAttempt } from './sign-in-attempt';

/** What signing in needs; without a provider only tokens open the backoffice. */
interface AuthPagesDeps extends OperatorsDeps {
  readonly provider: IdentityProvider | undefined;
}

const SIGN_IN_SECONDS = 600;
const deadline = (): number => Date.now() + CHANGE_DEADLINE_MS;

/** Signing in and out, and who is signed in (spec §18.1). */
export const authPages = (deps: AuthPagesDeps): [path: string, page: Page | PostPage][] => [
  ['/auth/sign-in', (exchange) => startSignIn(deps, exchange)],
  ['/auth/callback', (exchange) => finishSignIn(deps, exchange)],
  ['/auth/session', (exchange) => showSession(deps, exchange)],
  ['/auth/sign-out', { post: (exchange) => signOut(deps, exchange) }],
];

async function startSignIn(deps: AuthPagesDeps, exchange: Exchange): Promise<void> {
  const origin = deps.origin();
  const attempt = beginAttempt(queryOf(exchange).get('returnTo'), origin);
  const url = await requireProvider(deps).signInUrl(attempt, callbackOf(origin));
  setCookie(exchange, SIGN_IN_COOKIE, attempt.cookie, SIGN_IN_SECONDS);
  await redirect(exchange, url);
}

async function finishSignIn(deps: AuthPagesDeps, exchange: Exchange): Promise<void> {
  const provider = requireProvider(deps);
  try {
    await redirect(exchange, await takeSession(deps, provider, exchange));
  } catch (error) {
    const isFailure = isAppError(error) && /^(UNAUTHORIZED|FORBIDDEN)_/.test(error.code);
    throw isFailure ? deps.attempts.record(exchange, error) : error;
  }
}

/** Begins the session of whoever comes back from the provider, in the browser that went there, and returns where to go on. */
async function takeSession(
  { clients, origin }: AuthPagesDeps,
  provider: IdentityProvider,
  exchange: Exchange,
): Promise<string> {
  const attempt = readAttempt(cookieOf(exchange, SIGN_IN_COOKIE), origin());
  clearCookie(exchange, SIGN_IN_COOKIE);
  const query = queryOf(exchange);
  if (!attempt || query.get('state') !== attempt.state) throw new AppError('UNAUTHORIZED_INVALID_TOKEN');
  const call = { requestId: exchange.requestId, deadlineAt: deadline() };
  const { name, account, roles } = await provider.finish(
    attempt,
    new URL(`${callbackOf(origin())}?${query}`),
  );
  // Only now: anybody can make up a cookie and its state, and nothing is noted of what the provider knows nothing of.
  await clients.operators.useOperatorSignIn({ signIn: attempt.id }, call);
  if (roles.length === 0) throw new AppError('FORBIDDEN_OPERATOR_ROLE', { role: 'viewer' });
  const { session } = await clients.operators.beginOperatorSession(
    { roles: roles.map(operatorRoleOf) },
    { ...call, operator: name, operatorAccount: account },
  );
  setCookie(exchange, SESSION_COOKIE, session);
  return attempt.returnTo;
}

async function showSession(deps: AuthPagesDeps, exchange: Exchange): Promise<void> {
  const { name, roles, expiresAt, session } = await requireSession(deps, exchange, deadline());
  exchange.succeed(200, 'SUCCESS', {
    operator: { name, roles },
    expiresAt: expiresAt.toISOString(),
    csrfToken: csrfTokenOf(session),
  });
}

async function signOut(deps: AuthPagesDeps, exchange: Exchange): Promise<void> {
  const deadlineAt = deadline();
  const { name, account, session } = await requireSession(deps, exchange, deadlineAt);
  requireOwnPage(exchange, session, deps.origin());
  const call = { requestId: exchange.requestId, operator: name, operatorAccount: account, deadlineAt };
  await deps.clients.operators.endOperatorSession({ session }, call);
  clearCookie(exchange, SESSION_COOKIE);
  exchange.succeed(200, 'SUCCESS', {});
}

function queryOf({ request: { url } }: Exchange): URLSearchParams {
  const question = url.indexOf('?');
  return new URLSearchParams(question === -1 ? '' : url.slice(question + 1));
}

const callbackOf = (origin: string): string => `${origin}/auth/callback`;

const redirect = (exchange: Exchange, location: string): Promise<void> | void =>
  redirectPage(location)(exchange);

function requireProvider({ provider }: AuthPagesDeps): IdentityProvider {
  if (!provider) throw new AppError('NOT_FOUND_ROUTE');
  return provider;
}
