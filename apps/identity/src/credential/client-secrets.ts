import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;
const CLIENT_ID_BYTES = 16;

/** Makes client secrets and checks them against their keyed hashes (spec §2.4). */
export class ClientSecrets {
  private readonly hashOfNobody: Buffer;

  /** `hashKey` holds at least 32 bytes and is the same for every instance. */
  constructor(private readonly hashKey: string) {
    this.hashOfNobody = this.hash(randomBytes(SECRET_BYTES).toString('base64url'));
  }

  /** A new secret, 32 random bytes in base64url, and the hash that is all the platform keeps of it. */
  create(): { secret: string; hash: Buffer } {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    return { secret, hash: this.hash(secret) };
  }

  /** True for the secret behind the stored hash; without a stored hash it does the same work and returns false. */
  matches(secret: string, storedHash: Buffer | undefined): boolean {
    const isEqual = timingSafeEqual(this.hash(secret), storedHash ?? this.hashOfNobody);
    return isEqual && storedHash !== undefined;
  }

  protected hash(secret: string): Buffer {
    return createHmac('sha256', this.hashKey).update(secret).digest();
  }
}

/** A new client id, which shows its environment to whoever reads it, for example pk_sandbox_0f3c…. */
export function newClientId(environment: 'sandbox' | 'live'): string {
  return `pk_${environment}_${randomBytes(CLIENT_ID_BYTES).toString('hex')}`;
}

/** False for text no client id ever looks like, and which the database might not even take. */
export function isClientIdShaped(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text);
}
