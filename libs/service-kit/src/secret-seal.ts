import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key of 32 bytes, and the id that is stored beside what it sealed. */
export interface SealingKey {
  readonly id: string;
  readonly key: Buffer;
}

/** A secret as stored. */
export interface SealedSecret {
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
}

/**
 * Encrypts secrets for a database (AES-256-GCM), each for the row that it belongs to: put into another row, it does not open. The
 * first key seals, each of them opens.
 */
export class SecretSeal {
  private readonly byId: ReadonlyMap<string, Buffer>;
  private readonly current: SealingKey;

  /** `setting` names the variable of the keys, for errors. */
  constructor(
    private readonly setting: string,
    keys: readonly SealingKey[],
  ) {
    const [current] = keys;
    if (!current) throw new Error(`${setting} holds no key to seal secrets with`);
    this.current = current;
    this.byId = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** The key that new secrets are sealed with. */
  get currentKeyId(): string {
    return this.current.id;
  }

  /** Nonce, tag and ciphertext in one. */
  seal(rowId: string, secret: string): SealedSecret {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.current.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(rowId));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { ciphertext: Buffer.concat([nonce, cipher.getAuthTag(), sealed]), keyId: this.current.id };
  }

  /** The secret; throws, naming no key, when its key is not among the setting's or the bytes are not as sealed. */
  open(rowId: string, { ciphertext, keyId }: SealedSecret): string {
    const key = this.byId.get(keyId);
    if (!key)
      throw new Error(
        `${this.setting} has no key ${keyId}, which a stored secret needs: list it, after the first, until keys.js status counts nothing of it`,
      );
    const nonce = ciphertext.subarray(0, NONCE_BYTES);
    const tag = ciphertext.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(rowId)).setAuthTag(tag);
      const opened = decipher.update(ciphertext.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new Error(`the secret of ${rowId} does not open: ${this.setting} has another ${keyId}`, {
        cause,
      });
    }
  }
}
