import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './events';
import { WebhookVerificationError as Failure } from './verification-error';

/** Headers as Node, fetch or a list of pairs has them; names in any case. */
export type WebhookHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request to verify. */
export interface VerifyOptions {
  /** The subscription's secret exactly as it was shown; several while your own processes change over. */
  secret: string | readonly string[];
  headers: WebhookHeaders;
  /** The body exactly as it came in; never one that was parsed and written again. */
  rawBody: string | Uint8Array;
  /** The time to compare with; the machine's by default. */
  now?: Date;
  /** How old, or how far in the future, a timestamp may be; 300 by default. */
  toleranceSeconds?: number;
}

/**
 * Returns the event when a secret of yours signed these bytes, in time; throws WebhookVerificationError otherwise, and
 * TypeError for a call that cannot be right (no secret, a parsed body). Signatures are compared in constant time.
 */
export function verifyWebhook(options: VerifyOptions): WebhookEvent {
  const { headers, toleranceSeconds = 300, now = new Date() } = options;
  const secrets = secretsOf(options.secret);
  const body = bytesOf(options.rawBody);
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number from 0');
  const timestamp = onlyHeader(headers, 'x-service-timestamp');
  const signature = onlyHeader(headers, 'x-service-signature');
  // At most 12 digits: every one of them is a number that a double holds exactly.
  if (!/^\d{1,12}$/.test(timestamp))
    throw new Failure('malformed-timestamp', 'X-Service-Timestamp is not Unix time in decimal seconds');
  if (!/^sha256=[0-9a-f]{64}$/.test(signature))
    throw new Failure(
      'malformed-signature',
      'X-Service-Signature is not sha256= and 64 lowercase hex digits',
    );
  if (!isSigned(body, { secrets, timestamp, signature }))
    throw new Failure('signature-mismatch', 'no secret given here signed these bytes with this timestamp');
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(timestamp);
  // Written so that a clock that is no time at all refuses too.
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new Failure(
      'timestamp-out-of-tolerance',
      `signed ${ageSeconds} s ago, where ${toleranceSeconds} s either way are taken`,
    );
  return readEvent(body);
}

function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  // An unset environment variable must not verify what anybody can sign.
  const isUsable = Array.isArray(secrets) && secrets.length > 0;
  if (!isUsable || !secrets.every((one) => typeof one === 'string' && one !== ''))
    throw new TypeError('secret must be the secret of a subscription, or a list of them');
  return secrets;
}

function bytesOf(rawBody: string | Uint8Array): Uint8Array {
  if (typeof rawBody === 'string') return Buffer.from(rawBody, 'utf8');
  if (rawBody instanceof Uint8Array) return rawBody;
  throw new TypeError('rawBody must be the bytes as they came in: a parsed body cannot be verified');
}

function onlyHeader(headers: WebhookHeaders, name: string): string {
  const values = pairsOf(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? value : []));
  // Node and fetch join a header that came twice with a comma, which neither value ever has.
  const all = values.flatMap((value) => value.split(',')).map((value) => value.trim());
  if (all.length > 1) throw new Failure('duplicate-header', `${name} came more than once`);
  if (!all[0]) throw new Failure('missing-header', `${name} is missing`);
  return all[0];
}

function pairsOf(headers: WebhookHeaders): (readonly [string, string | readonly string[]])[] {
  const pairs = isIterable(headers) ? [...headers] : Object.entries(headers);
  return pairs.map(([key, value]) => [key, value ?? []]);
}

function isIterable(headers: WebhookHeaders): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}

function isSigned(
  body: Uint8Array,
  { secrets, timestamp, signature }: { secrets: readonly string[]; timestamp: string; signature: string },
): boolean {
  const given = Buffer.from(signature.slice('sha256='.length), 'hex');
  let isMatch = false;
  // Every secret is tried, so that the time taken does not tell which one fits.
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
    if (timingSafeEqual(expected, given)) isMatch = true;
  }
  return isMatch;
}

function readEvent(body: Uint8Array): WebhookEvent {
  let event: Partial<WebhookEvent> | null;
  try {
    event = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(body),
    ) as Partial<WebhookEvent> | null;
  } catch {
    throw new Failure('malformed-body', 'the body is not JSON');
  }
  const isEvent =
    typeof event?.eventId === 'string' &&
    typeof event.eventType === 'string' &&
    typeof event.occurredAt === 'string' &&
    typeof event.data === 'object' &&
    event.data !== null;
  if (!isEvent) throw new Failure('malformed-body', 'the body is no event');
  return event as WebhookEvent;
}
