import { Environment } from '@reseller/contracts';
import type { WebhookEventTypeName } from '@reseller/presenters';

/** What a domain event is to partners: its public name and data, and whose it is. */
export interface PublicEvent {
  readonly eventType: WebhookEventTypeName;
  readonly partnerId: string;
  readonly environment: 'sandbox' | 'live';
  /** The order it is about, for the operators' timeline; null for an event about none. */
  readonly orderGlobalId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event as it is stored: with the exact bytes that every attempt to every subscription signs and sends. */
export interface WebhookEvent extends Omit<PublicEvent, 'data'> {
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
  eventType: WebhookEventTypeName;
  occurredAt: Date;
  data: Readonly<Record<string, unknown>>;
}): Buffer {
  const { eventId, eventType, occurredAt, data } = event;
  return Buffer.from(JSON.stringify({ eventId, eventType, occurredAt: occurredAt.toISOString(), data }));
}

/** The environment's stored name; throws for an event that names none. */
export function environmentOf(environment: Environment): PublicEvent['environment'] {
  if (environment === Environment.SANDBOX) return 'sandbox';
  if (environment === Environment.LIVE) return 'live';
  throw new Error('an event names no environment');
}
