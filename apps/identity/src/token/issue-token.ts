import type { IssueTokenRequest } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { type EnvironmentName, isUuid } from '@reseller/rpc';
import { v7 as newId } from 'uuid';
import type { AuditRepository } from '../audit/audit.repository';
import type { Clock } from '../clock';
import { isClientIdShaped, type ClientSecrets } from '../credential/client-secrets';
import type { CredentialRepository } from '../credential/credential.repository';
import { isWithin } from '../credential/networks';
import type { SignInRepository } from '../credential/sign-in.repository';
import type { KeyedHash } from '../secret/keyed-hashes';
import type { TokenSigner } from '../signing-key/token-signer';
import { TOKEN_LIFETIME_SECONDS, buildClaims } from './domain/claims';
import { decideSubject, type TokenPartner } from './domain/delegation';
import type { TokenLookup, TokenRepository } from './token.repository';

/** What issuing a token needs. */
export interface TokenDeps {
  tokens: TokenRepository;
  credentials: Pick<CredentialRepository, 'renewHash'>;
  secrets: ClientSecrets;
  signer: TokenSigner;
  audit: AuditRepository;
  clock: Clock;
  issuer: string;
  signIns: Pick<SignInRepository, 'record'>;
  /** Counts what came of an exchange: Issued, or the code of the refusal. */
  count?: ((result: string) => void) | undefined;
}

/** A token and how long it lives. */
export interface IssuedToken {
  accessToken: string;
  expiresInSeconds: number;
}

interface Caller {
  partner: TokenPartner;
  clientId: string;
  environment: EnvironmentName;
  hashed: KeyedHash;
}

/**
 * Exchanges a credential for a token of its partner or, with onBehalfOf, of a descendant; a delegated token is
 * audited before it is handed out (spec §2.5). What came of it is recorded, unless it failed for a fault of ours (spec §18.6).
 */
export async function issueToken(
  deps: TokenDeps,
  requestId: string,
  request: IssueTokenRequest,
): Promise<IssuedToken> {
  const clientId = isClientIdShaped(request.clientId) ? request.clientId : '';
  const onBehalfOf = request.onBehalfOf?.toLowerCase();
  const record = async (result: string): Promise<void> => {
    deps.count?.(result);
    const fromAddress = request.callerAddress ?? null;
    await deps.signIns.record({ clientId, onBehalfOf: onBehalfOf ?? null, result, fromAddress, requestId });
  };
  try {
    const issued = await exchange(deps, requestId, { ...request, clientId, onBehalfOf });
    await record('Issued');
    return issued;
  } catch (error) {
    if (error instanceof AppError && /^(UNAUTHORIZED|FORBIDDEN)_/.test(error.code)) await record(error.code);
    throw error;
  }
}

async function exchange(
  deps: TokenDeps,
  requestId: string,
  { clientId, clientSecret, onBehalfOf, callerAddress }: IssueTokenRequest,
): Promise<IssuedToken> {
  const targetId = onBehalfOf !== undefined && isUuid(onBehalfOf) ? onBehalfOf : undefined;
  const found = await deps.tokens.lookUp(clientId, targetId);
  const now = deps.clock.now();
  const caller = authenticate(deps.secrets, { clientSecret, callerAddress, now }, found);
  const renewed = deps.secrets.renewed(clientSecret, caller.hashed);
  if (renewed) await deps.credentials.renewHash(caller.clientId, caller.hashed, renewed);

  const decision = decideSubject(caller.partner, onBehalfOf !== undefined, found.target);
  if ('refusal' in decision) throw new AppError(decision.refusal);
  const claims = buildClaims({
    issuer: deps.issuer,
    tokenId: newId(),
    now,
    subject: decision.subject,
    clientId: caller.clientId,
    environment: caller.environment,
    actingPartnerId: decision.isDelegated ? caller.partner.id : undefined,
  });
  const accessToken = await deps.signer.sign(claims, found.revokedSigningKeys);
  if (decision.isDelegated) {
    await deps.audit.append({
      actorType: 'partner',
      actingPartnerId: caller.partner.id,
      actingClientId: caller.clientId,
      requestId,
      partnerId: decision.subject.id,
      action: 'token.issue',
      subject: decision.subject.globalId,
      details: { jti: claims.jti, environment: caller.environment },
    });
  }
  return { accessToken, expiresInSeconds: TOKEN_LIFETIME_SECONDS };
}

function authenticate(
  secrets: ClientSecrets,
  given: { clientSecret: string; callerAddress: string | undefined; now: Date },
  { credential, caller }: TokenLookup,
): Caller {
  // The secret is weighed before anything else is looked at, so that every refusal costs the same (spec §2.4).
  const isRight = secrets.matches(given.clientSecret, credential?.hashed);
  if (!isRight || !credential || !caller || !isUsable(credential, given)) {
    throw new AppError('UNAUTHORIZED_INVALID_CREDENTIALS');
  }
  // Whoever is inactive learns nothing more, not that the secret was right (spec §18.5).
  if (!caller.isActive) throw new AppError('UNAUTHORIZED_INVALID_CREDENTIALS');
  if (caller.isFrozen) throw new AppError('UNAUTHORIZED_PARTNER_FROZEN');
  const { clientId, environment, hashed } = credential;
  return { partner: caller, clientId, environment, hashed };
}

function isUsable(
  { isRevoked, expiresAt, allowedCidrs }: NonNullable<TokenLookup['credential']>,
  { callerAddress, now }: { callerAddress: string | undefined; now: Date },
): boolean {
  return !isRevoked && (expiresAt === null || expiresAt > now) && isWithin(allowedCidrs, callerAddress);
}
