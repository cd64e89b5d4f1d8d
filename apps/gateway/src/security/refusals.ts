import { isAppError } from '@reseller/errors';
import { errors } from 'jose';
import { Counter, type Registry } from 'prom-client';

/** Why a token is refused: `malformed` covers all that identity would never issue. */
const REASONS = [
  'expired',
  'issuer',
  'malformed',
  'not-yet-valid',
  'revoked',
  'signature',
  'unknown-key',
] as const;
type Reason = (typeof REASONS)[number];

/** `issue`: it came from identity this moment, for a caller; `request`: a caller sent it. */
const PLACES = ['issue', 'request'] as const;

/** Counts refused tokens by their reason. */
export class TokenRefusals {
  private readonly counter: Counter<'at' | 'reason'>;

  constructor(metrics: Registry) {
    this.counter = new Counter({
      name: 'gateway_tokens_refused_total',
      help: 'Tokens that the gateway refuses, by reason; at: request for those that callers send, issue for those that identity has just issued to one, which is a fault of ours. Sum over instances.',
      labelNames: ['at', 'reason'],
      registers: [metrics],
    });
    for (const at of PLACES) for (const reason of REASONS) this.counter.inc({ at, reason }, 0);
  }

  count(at: (typeof PLACES)[number], reason: Reason): void {
    this.counter.inc({ at, reason });
  }
}

/** Why a token was refused, by what Authenticator.authenticate threw; undefined for what is no fault of the token. */
export function reasonOf(error: unknown): Reason | undefined {
  if (!isAppError(error) || error.code !== 'UNAUTHORIZED_INVALID_TOKEN') return undefined;
  const { cause } = error;
  if (cause === undefined) return 'revoked';
  if (cause instanceof errors.JWTExpired) return 'expired';
  if (cause instanceof errors.JWKSNoMatchingKey) return 'unknown-key';
  if (cause instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (cause instanceof errors.JWTClaimValidationFailed) {
    if (cause.claim === 'iss') return 'issuer';
    if (cause.claim === 'nbf' && cause.reason === 'check_failed') return 'not-yet-valid';
  }
  return 'malformed';
}
