import type { HashKey } from '@reseller/service-kit';
import { createHmac } from 'node:crypto';

/** A hash as stored, and which key of CREDENTIAL_HASH_KEY it was made with. */
export interface KeyedHash {
  readonly hash: Uint8Array<ArrayBuffer>;
  readonly keyId: string;
}

/** HMAC-SHA-256 under versioned keys: the first one hashes what is new, all of them recognise what is stored. */
export class KeyedHashes {
  private readonly current: HashKey;

  constructor(private readonly keys: readonly HashKey[]) {
    const [current] = keys;
    if (!current) throw new Error('CREDENTIAL_HASH_KEY holds no key');
    this.current = current;
  }

  /** The key of what is new. */
  get currentKeyId(): string {
    return this.current.id;
  }

  /** Every key by which something stored is recognised. */
  get keyIds(): string[] {
    return this.keys.map(({ id }) => id);
  }

  /** The hash under the first key. */
  make(text: string): KeyedHash {
    return { hash: hmac(this.current, text), keyId: this.current.id };
  }

  /** The hash under a key by its id; one that is not listed does the same work and returns undefined. */
  makeUnder(keyId: string, text: string): Uint8Array<ArrayBuffer> | undefined {
    const key = this.keys.find(({ id }) => id === keyId);
    const hash = hmac(key ?? this.current, text);
    return key && hash;
  }

  /** The hash under each key, the first one first. */
  makeAll(text: string): KeyedHash[] {
    return this.keys.map((key) => ({ hash: hmac(key, text), keyId: key.id }));
  }
}

const hmac = ({ key }: HashKey, text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHmac('sha256', key).update(text).digest());
