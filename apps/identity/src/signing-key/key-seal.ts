import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts private keys for the database (AES-256-GCM); a sealed key opens only under its own key id. */
export class KeySeal {
  /** `encryptionKey` has exactly 32 bytes. */
  constructor(private readonly encryptionKey: Buffer) {}

  /** Nonce, tag and ciphertext in one. */
  seal(keyId: string, privateKey: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.encryptionKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(keyId));
    const sealed = Buffer.concat([cipher.update(privateKey, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** The private key; throws when the encryption key is another one or the bytes are not as they were sealed. */
  open(keyId: string, sealed: Uint8Array): string {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.encryptionKey, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(keyId)).setAuthTag(tag);
    try {
      const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new Error(
        `signing key ${keyId} does not open: KEY_ENCRYPTION_KEY is not the one it was sealed with`,
        {
          cause,
        },
      );
    }
  }
}
