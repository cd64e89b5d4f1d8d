import { z } from 'zod';
import type { SealingKey } from './secret-seal';

/** A key of keyed hashes, and the id that is stored beside what was hashed with it. */
export interface HashKey {
  readonly id: string;
  /** Exactly as the setting has it. */
  readonly key: string;
}

/** The id of a key that is given without one. */
const BARE_KEY_ID = '0';

const ENTRY = /^\s*([\w.-]{1,64}):(\S+)\s*$/;
const SEALING_KEY_BYTES = 32;
const HASH_KEY_BYTES = 32;

/**
 * Keys that encrypt, as `id:key`, comma separated: each 32 bytes in base64 or hex and each id different. The first one is used,
 * all of them open. With `bare`, a single key may stand without an id and has BARE_KEY_ID.
 */
export const envSealingKeys = ({ bare } = { bare: false }): z.ZodType<SealingKey[], string> =>
  envKeys({ decode: decodeKey, minBytes: SEALING_KEY_BYTES, expected: '32 bytes in base64 or hex', bare });

/** Keys of hashes, as `id:key`, comma separated: each at least 32 bytes and each id different, or a single one without an id. */
export const envHashKeys = (): z.ZodType<HashKey[], string> =>
  envKeys({ decode: (text) => text, minBytes: HASH_KEY_BYTES, expected: 'at least 32 bytes', bare: true });

interface Form<K> {
  decode: (text: string) => K;
  minBytes: number;
  expected: string;
  bare: boolean;
}

function envKeys<K extends string | Buffer>({ decode, minBytes, expected, bare }: Form<K>) {
  return z
    .string()
    .transform((text, context) => {
      const keys = parse(text, bare).map((entry) => ({ id: entry.id, key: decode(entry.key) }));
      const areGood = keys.every(({ id, key }) => id !== '' && Buffer.byteLength(key) >= minBytes);
      if (areGood && new Set(keys.map(({ id }) => id)).size === keys.length) return keys;
      context.addIssue({ code: 'custom' });
      return z.NEVER;
    })
    .describe(
      `id:key, comma separated, each key ${expected} and each id different; the first one is used for what is new`,
    );
}

function parse(text: string, bare: boolean): HashKey[] {
  if (bare && !/[:,]/.test(text)) return [{ id: BARE_KEY_ID, key: text }];
  return text.split(',').map((entry) => {
    const [, id = '', key = ''] = ENTRY.exec(entry) ?? [];
    return { id, key };
  });
}

function decodeKey(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
}
