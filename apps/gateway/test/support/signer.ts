import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { randomUUID } from 'node:crypto';
import { ACME } from './samples';

export const ISSUER = 'test-issuer';

/** Signs tokens as identity would. */
export class Signer {
  private constructor(
    private readonly key: CryptoKey,
    readonly jwk: Record<string, unknown>,
    readonly alg: string,
  ) {}

  static async create(alg: 'EdDSA' | 'ES256' | 'RS256' = 'EdDSA'): Promise<Signer> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: randomUUID(), alg, use: 'sig' };
    return new Signer(privateKey, jwk, alg);
  }

  sign(changes: JWTPayload = {}, header: Record<string, unknown> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: ISSUER,
      aud: 'partner-api',
      sub: ACME,
      gid: 'PRT-000001',
      client_id: 'acme-sandbox',
      env: 'sandbox',
      path: [ACME],
      jti: randomUUID(),
      iat: now,
      nbf: now,
      exp: now + 300,
      ...changes,
    };
    const kid = this.jwk['kid'] as string;
    return new SignJWT(claims).setProtectedHeader({ alg: this.alg, kid, ...header }).sign(this.key);
  }
}
