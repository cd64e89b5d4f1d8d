import { createHmac } from 'node:crypto';

/** The headers of a webhook, as the specification has them. */
export function signedHeaders(
  secret: string,
  body: string | Uint8Array,
  at = Math.floor(Date.now() / 1_000),
): Record<string, string> {
  const hex = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');
  return { 'X-Service-Timestamp': String(at), 'X-Service-Signature': `sha256=${hex}` };
}

/** An event as the platform writes it. */
export function eventBody(eventId = '019a2f51-4b2d-7e55-8b1a-3f4e5d6c7b90'): string {
  const occurredAt = '2026-01-15T09:30:00.123Z';
  return JSON.stringify({ eventId, eventType: 'order.completed', occurredAt, data: { amount: 25.5 } });
}
