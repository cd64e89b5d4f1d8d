import type { AuthenticateOperatorRequest } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import type { OperatorDeps } from './operator-deps';
import type { OperatorIdentity } from './operator.repository';

/** A token's last use is noted once in this time. */
const NOTED_EVERY_MS = 1_000;

/** Who is behind a token or a session, as of now; throws UNAUTHORIZED_INVALID_TOKEN (spec §18.1). */
export async function authenticateOperator(
  deps: OperatorDeps,
  { token, session }: AuthenticateOperatorRequest,
): Promise<OperatorIdentity & { expiresAt: Date | null }> {
  const now = deps.clock.now();
  const found =
    token !== undefined
      ? await useToken(deps, token, now)
      : session !== undefined && (await findSession(deps, session));
  if (!found || (found.expiresAt && found.expiresAt <= now)) throw new AppError('UNAUTHORIZED_INVALID_TOKEN');
  return found;
}

async function useToken({ operators, secrets }: OperatorDeps, secret: string, now: Date) {
  const token = await operators.findToken(secrets.hashesOf('token', secret));
  if (!token || token.revokedAt || (token.expiresAt && token.expiresAt <= now)) return undefined;
  const since = new Date(now.getTime() - NOTED_EVERY_MS);
  if (!token.lastUsedAt || token.lastUsedAt < since) await operators.noteUse(token.id, now, since);
  if (token.hashKeyId !== secrets.currentKeyId)
    await operators.renewHash(token.id, secrets.hash('token', secret));
  return token;
}

async function findSession({ operators, secrets }: OperatorDeps, secret: string) {
  const hashes = secrets.hashesOf('session', secret);
  const session = await operators.findSession(hashes);
  const [current] = hashes;
  if (session && current && !current.every((byte, at) => byte === session.sessionHash[at]))
    await operators.renewSessionHash(session.sessionHash, current);
  return session;
}
