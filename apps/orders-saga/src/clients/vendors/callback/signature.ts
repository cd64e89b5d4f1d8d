import { createHmac, timingSafeEqual } from 'node:crypto';

// How far a vendor's clock, and the way of its message, may be off.
const TOLERANCE_S = 300;
const HEADER = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

/**
 * Whether a body was signed with this secret just now: `t=<unix seconds>,v1=<HMAC-SHA256 in hex>` over the time, a
 * dot and the body's very bytes. Takes the same time whatever is wrong with the digest.
 */
export function isSignedBy(secret: string, header: string, body: Buffer, nowMs: number): boolean {
  const [, time = '', given = ''] = HEADER.exec(header) ?? [];
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  const isFresh = time !== '' && Math.abs(nowMs / 1_000 - Number(time)) <= TOLERANCE_S;
  const digest = Buffer.alloc(expected.length);
  digest.write(given, 'hex');
  return timingSafeEqual(expected, digest) && isFresh && given !== '';
}
