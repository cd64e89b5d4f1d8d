import type { PresentedEvent, WebhookEventTypeName } from '@reseller/presenters';

/** An event as it is stored: with the exact bytes that every attempt to every subscription signs and sends. */
export interface WebhookEvent extends Omit<PresentedEvent, 'data'> {
  readonly eventType: WebhookEventTypeName;
  /** The domain event's own, so that one change is one event, however often it arrives (spec §10.3). */
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly body: Buffer;
  /** Trace and request id of the change. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The envelope of the specification as bytes; amounts in `data` are JSON numbers already. */
export function webhookBody(event: {
  eventId: string;
  eventType: string;
  occurredAt: Date;
  data: Readonly<Record<string, unknown>>;
}): Buffer {
  const { eventId, eventType, occurredAt, data } = event;
  return Buffer.from(JSON.stringify({ eventId, eventType, occurredAt: occurredAt.toISOString(), data }));
}
