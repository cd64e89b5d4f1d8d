import { createHmac } from 'node:crypto';

/** The value of X-Service-Signature: HMAC-SHA256 over `<timestamp>.<body>`, keyed with the secret as it is shown. */
export function signBody(secret: string, timestamp: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}
