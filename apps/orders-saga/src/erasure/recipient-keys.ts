import { SecretSeal, type HashKey, type SealedSecret } from '@reseller/service-kit';
import { createHmac } from 'node:crypto';
import type { FingerprintKeys, RecipientKind } from './domain/erased-request';

/** The keys of ERASURE_HASH_KEY: hashes of recipients, fingerprints of erased fields, and the seal of a running erasure. */
export class RecipientKeys implements FingerprintKeys {
  private readonly sealing: SecretSeal;

  /** At least one key; the first is used for what is new. */
  constructor(private readonly keys: readonly [HashKey, ...HashKey[]]) {
    this.sealing = new SecretSeal(
      'ERASURE_HASH_KEY',
      keys.map(({ id, key }) => ({ id, key: createHmac('sha256', key).update('seal').digest() })),
    );
  }

  get currentKeyId(): string {
    return this.keys[0].id;
  }

  makeUnder(keyId: string, text: string): string | undefined {
    const key = this.keys.find(({ id }) => id === keyId)?.key;
    return key === undefined ? undefined : createHmac('sha256', key).update(text).digest('hex');
  }

  /** What names a recipient once it is erased; the same for the same recipient. */
  subjectHash(kind: RecipientKind, recipient: string): string {
    return createHmac('sha256', this.keys[0].key).update(`recipient\n${kind}\n${recipient}`).digest('hex');
  }

  /** For the row of this erasure alone. */
  seal(erasureId: string, recipient: string): SealedSecret {
    return this.sealing.seal(erasureId, recipient);
  }

  /** The recipient of a running erasure; throws when its key is gone. */
  open(erasureId: string, sealed: SealedSecret): string {
    return this.sealing.open(erasureId, sealed);
  }
}

/** The keys of the setting; undefined where it is not set, and nothing can be erased. */
export function recipientKeysOf(keys: readonly HashKey[] | undefined): RecipientKeys | undefined {
  const [first, ...others] = keys ?? [];
  return first && new RecipientKeys([first, ...others]);
}
