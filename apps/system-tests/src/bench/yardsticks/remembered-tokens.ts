import { importJWK, jwtVerify } from 'jose';
import type { JWK } from 'jose';
import pg from 'pg';
import type { StartedPlatform } from '../../platform/start-platform';

/** Whom a token stands for, as far as a yardstick needs it. */
interface TokenOwner {
  readonly partnerId: string;
  readonly expiresAt: number;
}

/** Finds a token's owner: verified by jose once, then remembered until it expires, as the gateway does. */
export type FindOwner = (authorization: string | undefined) => TokenOwner | Promise<TokenOwner>;

/** Verifies tokens that were signed with this key. */
export async function rememberTokens(jwk: JWK): Promise<FindOwner> {
  const key = await importJWK(jwk, jwk.alg ?? 'EdDSA');
  const owners = new Map<string, TokenOwner>();
  const verify = async (authorization: string): Promise<TokenOwner> => {
    const token = authorization.slice('Bearer '.length);
    const { payload } = await jwtVerify(token, key, { audience: 'partner-api' });
    const owner = { partnerId: payload.sub ?? '', expiresAt: (payload.exp ?? 0) * 1_000 };
    owners.set(authorization, owner);
    return owner;
  };
  return (authorization = '') => {
    const known = owners.get(authorization);
    return known && known.expiresAt > Date.now() ? known : verify(authorization);
  };
}

/** The public key that verifies a token, from where identity keeps it. */
export async function signingKeyOf(platform: StartedPlatform, token: string): Promise<JWK> {
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as {
    kid: string;
  };
  const client = new pg.Client({ connectionString: platform.description.databases.identity });
  await client.connect();
  try {
    const { rows } = await client.query<{ jwk: JWK }>(
      'SELECT public_jwk AS jwk FROM signing_keys WHERE key_id = $1',
      [header.kid],
    );
    if (!rows[0]) throw new Error(`identity has no key ${header.kid}`);
    return rows[0].jwk;
  } finally {
    await client.end();
  }
}
