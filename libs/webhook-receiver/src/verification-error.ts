/** Why a request is not a webhook of the platform's, or not a fresh one. */
export type VerificationFailure =
  | 'missing-header'
  | 'duplicate-header'
  | 'malformed-timestamp'
  | 'malformed-signature'
  | 'signature-mismatch'
  | 'timestamp-out-of-tolerance'
  | 'malformed-body';

/** Thrown for a request that must not be acted on; `reason` names the rule it breaks and holds no secret. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly reason: VerificationFailure,
    message: string,
  ) {
    super(message);
  }
}
