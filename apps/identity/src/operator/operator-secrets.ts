import { createHmac, randomBytes } from 'node:crypto';

/** What is kept as a keyed hash only; hashes of one kind say nothing about another. */
export type SecretKind = 'token' | 'session' | 'sign-in';

const SECRET_BYTES = 32;
const TOKEN_PREFIX = 'op_';

/** Makes operators' tokens and sessions, and the keyed hashes by which they are known (spec §18.1). */
export class OperatorSecrets {
  /** `hashKey` holds at least 32 bytes and is the same for every instance. */
  constructor(private readonly hashKey: string) {}

  /** A new secret, 32 random bytes in base64url behind the prefix of its kind. */
  create(kind: 'token' | 'session'): { secret: string; hash: Uint8Array<ArrayBuffer> } {
    const random = randomBytes(SECRET_BYTES).toString('base64url');
    const secret = kind === 'token' ? `${TOKEN_PREFIX}${random}` : random;
    return { secret, hash: this.hash(kind, secret) };
  }

  /** The hash that all instances know the secret by; a look-up by it reveals nothing about the secret. */
  hash(kind: SecretKind, secret: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(createHmac('sha256', this.hashKey).update(`operator-${kind}:${secret}`).digest());
  }
}
