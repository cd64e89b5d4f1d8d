import type { Check } from './diagnosis';

/** The certificate of a receiver as a connection showed it. */
export interface Certificate {
  /** Why deliveries refuse it, by the name that OpenSSL and Node.js have for it; null when they do not. */
  readonly fault: string | null;
  readonly validUntil: Date;
}

/** How long it should stay valid (spec §17.3). */
const DAYS_LEFT = 14;
const DAY_MS = 86_400_000;

/** Faults that have a remedy of their own. */
const REMEDIES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired. Renew it',
  CERT_NOT_YET_VALID: 'it is not valid yet. Check the clock it was made with',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself. Get one from a public certificate authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not a public one. Get one from a public certificate authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificates between it and its authority are missing. Send the whole chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its authority is not known. Send the whole chain, up to a public authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name. Get one for the name in the url',
};

/** What deliveries make of a certificate, and whether it will soon have to be renewed. */
export function judgeCertificate(
  { fault, validUntil }: Certificate,
  now: Date,
): Pick<Check, 'result' | 'message'> {
  if (fault !== null) {
    const remedy = REMEDIES[fault] ?? `${fault}. Check it with another TLS client`;
    return { result: 'Fail', message: `Deliveries refuse your certificate: ${remedy}.` };
  }
  const days = Math.floor((validUntil.getTime() - now.getTime()) / DAY_MS);
  const left = `Your certificate is valid for ${days} more ${days === 1 ? 'day' : 'days'}`;
  return days >= DAYS_LEFT
    ? { result: 'Pass', message: `${left}.` }
    : { result: 'Warn', message: `${left}; renew it before deliveries fail.` };
}
