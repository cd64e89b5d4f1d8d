import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** A key of WEBHOOK_SECRET_KEYS. */
export interface SealingKey {
  readonly id: string;
  readonly key: Buffer;
}

/** A secret as stored. */
export interface SealedSecret {
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
}

/** Reads `id:key,id:key`; undefined unless there is one, ids differ and each key has 32 bytes, in base64 or hex. */
export function parseSealingKeys(text: string): SealingKey[] | undefined {
  const keys = text.split(',').map((entry) => {
    const [, id = '', encoded = ''] = /^\s*([\w.-]{1,64}):(\S+)\s*$/.exec(entry) ?? [];
    return { id, key: decodeKey(encoded) };
  });
  const areGood = keys.every(({ id, key }) => id !== '' && key.length === KEY_BYTES);
  return areGood && new Set(keys.map(({ id }) => id)).size === keys.length ? keys : undefined;
}

function decodeKey(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
}

/** A new signing secret: `whsec_` and 32 random bytes in base64url; the HMAC key exactly as it stands. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

/**
 * Encrypts signing secrets for the database (AES-256-GCM), each for its own subscription: put into another row, it does
 * not open. The first key seals, each of them opens.
 */
export class SecretSeal {
  private readonly byId: ReadonlyMap<string, Buffer>;
  private readonly current: SealingKey;

  constructor(keys: readonly SealingKey[]) {
    const [current] = keys;
    if (!current) throw new Error('there is no key to seal secrets with');
    this.current = current;
    this.byId = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** The key that new secrets are sealed with. */
  get currentKeyId(): string {
    return this.current.id;
  }

  /** Nonce, tag and ciphertext in one. */
  seal(subscriptionId: string, secret: string): SealedSecret {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.current.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(subscriptionId));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { ciphertext: Buffer.concat([nonce, cipher.getAuthTag(), sealed]), keyId: this.current.id };
  }

  /** The secret; throws, naming no key, when its key is not in WEBHOOK_SECRET_KEYS or the bytes are not as sealed. */
  open(subscriptionId: string, { ciphertext, keyId }: SealedSecret): string {
    const key = this.byId.get(keyId);
    if (!key) throw new Error(`WEBHOOK_SECRET_KEYS has no key ${keyId}, which a stored secret needs`);
    const nonce = ciphertext.subarray(0, NONCE_BYTES);
    const tag = ciphertext.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(subscriptionId)).setAuthTag(tag);
      const opened = decipher.update(ciphertext.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new Error(
        `the secret of ${subscriptionId} does not open: WEBHOOK_SECRET_KEYS has another ${keyId}`,
        {
          cause,
        },
      );
    }
  }
}
