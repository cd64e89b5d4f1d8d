import type { EnvironmentName } from '@reseller/rpc';
import type { TokenPartner } from './delegation';

/** How long a token lives, counted from its iat (spec §2.3). */
export const TOKEN_LIFETIME_SECONDS = 300;

const AUDIENCE = 'partner-api';

/** The claims of spec §2.3, and the subject's global id besides, so that no service has to look it up. */
export interface TokenClaims {
  iss: string;
  aud: typeof AUDIENCE;
  sub: string;
  gid: string;
  client_id: string;
  env: EnvironmentName;
  path: string[];
  jti: string;
  iat: number;
  nbf: number;
  exp: number;
  act?: { sub: string; client_id: string };
}

/** What a token is made of. */
interface TokenFacts {
  issuer: string;
  tokenId: string;
  now: Date;
  subject: TokenPartner;
  /** The credential that obtains the token: the parent's, when delegated, since limits count against it (§11.2). */
  clientId: string;
  environment: EnvironmentName;
  /** The parent that acts, when delegated. */
  actingPartnerId?: string | undefined;
}

/** The claims for these facts; times are whole seconds. */
export function buildClaims(facts: TokenFacts): TokenClaims {
  const { issuer, tokenId, now, subject, clientId, environment, actingPartnerId } = facts;
  const iat = Math.floor(now.getTime() / 1000);
  return {
    iss: issuer,
    aud: AUDIENCE,
    sub: subject.id,
    gid: subject.globalId,
    client_id: clientId,
    env: environment,
    path: subject.path,
    jti: tokenId,
    iat,
    nbf: iat,
    exp: iat + TOKEN_LIFETIME_SECONDS,
    ...(actingPartnerId === undefined ? {} : { act: { sub: actingPartnerId, client_id: clientId } }),
  };
}
