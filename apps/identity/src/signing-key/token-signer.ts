import { SignJWT } from 'jose';
import type { TokenClaims } from '../token/domain/claims';
import type { KeyRing } from './key-ring';

/** Signs tokens with the key that is due (EdDSA over Ed25519, spec §2.3). */
export class TokenSigner {
  constructor(private readonly keyRing: KeyRing) {}

  /** The claims as a signed JWT, exactly as given. */
  async sign(claims: TokenClaims): Promise<string> {
    const { keyId, privateKey } = await this.keyRing.signingKey();
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: keyId })
      .sign(privateKey);
  }
}
