import { FlattenedSign, SignJWT, type FlattenedJWS } from 'jose';
import type { TokenClaims } from '../token/domain/claims';
import type { KeyRing } from './key-ring';

/** Signs tokens with the key that is due (EdDSA over Ed25519, spec §2.3). */
export class TokenSigner {
  constructor(private readonly keyRing: KeyRing) {}

  /** The claims as a signed JWT, exactly as given; `revokedKeys` is how many keys the database has as revoked now. */
  async sign(claims: TokenClaims, revokedKeys: number): Promise<string> {
    const { keyId, privateKey } = await this.keyRing.signingKey(revokedKeys);
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: keyId })
      .sign(privateKey);
  }

  /**
   * The end of the audit's chain, signed, as flattened JSON (RFC 7515, 7.2.2): a log hides what looks like a token. Its type and its
   * claims are none of a token's.
   */
  async signHead(head: { service: string; sequence: number; hash: string }): Promise<FlattenedJWS> {
    const { keyId, privateKey } = await this.keyRing.signingKey();
    const claims = { ...head, iat: Math.floor(Date.now() / 1_000) };
    return new FlattenedSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'EdDSA', typ: 'audit-head+jwt', kid: keyId })
      .sign(privateKey);
  }
}
