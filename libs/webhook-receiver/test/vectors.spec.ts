import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '../src/verify-webhook';
import { WebhookVerificationError } from '../src/verification-error';
import { vectors, type SignatureVector } from './vectors';

function outcomeOf({ secrets, now, headers, body }: SignatureVector): string {
  try {
    verifyWebhook({ secret: secrets, headers, rawBody: body, now: new Date(now * 1_000) });
    return 'valid';
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
}

describe('the signature vectors of the docs', () => {
  it.each(vectors)('when a request is: $name, then it is $expect', (vector) => {
    expect(outcomeOf(vector)).toBe(vector.expect);
  });

  it('when partners go by the vectors, then every reason for a refusal is among them', () => {
    expect(new Set(vectors.map((vector) => vector.expect))).toEqual(
      new Set([
        'valid',
        'missing-header',
        'duplicate-header',
        'malformed-timestamp',
        'malformed-signature',
        'signature-mismatch',
        'timestamp-out-of-tolerance',
        'malformed-body',
      ]),
    );
  });
});
