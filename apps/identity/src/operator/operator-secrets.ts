import { randomBytes } from 'node:crypto';
import type { KeyedHash, KeyedHashes } from '../secret/keyed-hashes';

/** What is kept as a keyed hash only; hashes of one kind say nothing about another. */
type SecretKind = 'token' | 'session' | 'sign-in';

const SECRET_BYTES = 32;
const TOKEN_PREFIX = 'op_';

/** Makes operators' tokens and sessions, and the keyed hashes by which they are known (spec §18.1). */
export class OperatorSecrets {
  constructor(private readonly hashes: KeyedHashes) {}

  /** The key of what is new. */
  get currentKeyId(): string {
    return this.hashes.currentKeyId;
  }

  /** A new secret, 32 random bytes in base64url behind the prefix of its kind. */
  create(kind: 'token' | 'session'): { secret: string; stored: KeyedHash } {
    const random = randomBytes(SECRET_BYTES).toString('base64url');
    const secret = kind === 'token' ? `${TOKEN_PREFIX}${random}` : random;
    return { secret, stored: this.hash(kind, secret) };
  }

  /** The hash under the first key; a look-up by it reveals nothing about the secret. */
  hash(kind: SecretKind, secret: string): KeyedHash {
    return this.hashes.make(`operator-${kind}:${secret}`);
  }

  /** Every hash that the secret may be stored as. */
  hashesOf(kind: SecretKind, secret: string): Uint8Array<ArrayBuffer>[] {
    return this.hashes.makeAll(`operator-${kind}:${secret}`).map(({ hash }) => hash);
  }
}
