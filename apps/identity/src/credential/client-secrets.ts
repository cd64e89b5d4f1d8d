import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { EnvironmentName } from '@reseller/rpc';
import type { KeyedHash, KeyedHashes } from '../secret/keyed-hashes';

const SECRET_BYTES = 32;
const CLIENT_ID_BYTES = 16;

/** Makes client secrets and checks them against their keyed hashes (spec §2.4). */
export class ClientSecrets {
  private readonly hashOfNobody: KeyedHash;

  constructor(private readonly hashes: KeyedHashes) {
    this.hashOfNobody = hashes.make(newSecret());
  }

  /** A new secret, 32 random bytes in base64url, and the hash that is all the platform keeps of it. */
  create(): { secret: string; stored: KeyedHash } {
    const secret = newSecret();
    return { secret, stored: this.hashes.make(secret) };
  }

  /** True for the secret behind the stored hash; without a stored hash it does the same work and returns false. */
  matches(secret: string, stored: KeyedHash | undefined): boolean {
    const { keyId, hash } = stored ?? this.hashOfNobody;
    const given = this.hashes.makeUnder(keyId, secret);
    const isEqual = timingSafeEqual(given ?? this.hashOfNobody.hash, hash);
    return isEqual && given !== undefined && stored !== undefined;
  }

  /** The hash under the first key, where the stored one was made with an older; undefined otherwise. */
  renewed(secret: string, stored: KeyedHash): KeyedHash | undefined {
    return stored.keyId === this.hashes.currentKeyId ? undefined : this.hashes.make(secret);
  }
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** A new client id, which shows its environment to whoever reads it, for example pk_sandbox_0f3c…. */
export function newClientId(environment: EnvironmentName): string {
  return `pk_${environment}_${randomBytes(CLIENT_ID_BYTES).toString('hex')}`;
}

/** False for text no client id ever looks like, and which the database might not even take. */
export function isClientIdShaped(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text);
}
