import type { CanonicalRequest } from '../../order/domain/order';

/** What stands for an erased phone number; no network gives it out. */
export const ERASED_PHONE = '+00000000000';

/** What stands for an erased e-mail address; no mail goes to .invalid. */
export const ERASED_EMAIL = 'erased@erased.invalid';

/** What stands for the other texts of an erased address. */
export const ERASED_TEXT = 'erased';

/** The entry of an erased request that holds the fingerprints of what was there. */
const FINGERPRINTS = 'erased';

/** The key that fingerprints were made with, and one for each field. */
interface Fingerprints {
  readonly keyId: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Makes fingerprints of values under versioned keys. */
export interface FingerprintKeys {
  readonly currentKeyId: string;
  /** Hex; undefined for a key that is not known. */
  readonly makeUnder: (keyId: string, text: string) => string | undefined;
}

/** By what a recipient is known, as the operators' API names it. */
export type RecipientKind = 'phoneNumber' | 'email';

/** The request without its recipient, and with what a repetition of the same body is recognised by (spec §18.10). */
export function eraseRequest(
  request: CanonicalRequest,
  orderGlobalId: string,
  keys: FingerprintKeys,
): CanonicalRequest {
  const keyId = keys.currentKeyId;
  const fields: Record<string, string> = {};
  const erased: Record<string, string | null> = { ...request };
  for (const [name, eraseValue] of Object.entries(ERASE)) {
    const value = request[name];
    if (value === null || value === undefined) continue;
    fields[name] = keys.makeUnder(keyId, textOf(orderGlobalId, name, value)) ?? '';
    erased[name] = eraseValue(value);
  }
  return { ...erased, [FINGERPRINTS]: JSON.stringify({ keyId, fields } satisfies Fingerprints) };
}

/** Whether the request was made unreadable before. */
export const isErased = (request: CanonicalRequest): boolean => typeof request[FINGERPRINTS] === 'string';

/**
 * The stored request as it compares with a repetition: an erased field counts as the repetition's where that has the same
 * fingerprint. Where the key is not known any more it counts as another.
 */
export function comparableRequest(
  stored: CanonicalRequest,
  repeated: CanonicalRequest,
  orderGlobalId: string,
  keys: FingerprintKeys | undefined,
): CanonicalRequest {
  const { [FINGERPRINTS]: fingerprints, ...request } = stored;
  if (typeof fingerprints !== 'string') return stored;
  const { keyId, fields } = JSON.parse(fingerprints) as Fingerprints;
  const known = Object.entries(fields).filter(([name, fingerprint]) => {
    const value = repeated[name];
    return (
      typeof value === 'string' && keys?.makeUnder(keyId, textOf(orderGlobalId, name, value)) === fingerprint
    );
  });
  return { ...request, ...Object.fromEntries(known.map(([name]) => [name, repeated[name] ?? null])) };
}

// Of this order and field alone, so that two erased orders of one recipient show nothing in common.
const textOf = (orderGlobalId: string, name: string, value: string): string =>
  `order\n${orderGlobalId}\n${name}\n${value}`;

const ERASE: Readonly<Record<string, (value: string) => string>> = {
  phoneNumber: () => ERASED_PHONE,
  email: () => ERASED_EMAIL,
  shippingAddress: (value) => {
    const { country } = JSON.parse(value) as { country?: string };
    const nothing = { line2: null, city: ERASED_TEXT, region: null, postalCode: null };
    return JSON.stringify({
      ...{ recipient: ERASED_TEXT, line1: ERASED_TEXT, ...nothing },
      ...{ country, phone: ERASED_PHONE },
    });
  },
};
