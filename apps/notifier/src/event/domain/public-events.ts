import {
  WEBHOOK_EVENTS,
  type WebhookEventDeclaration,
  type WebhookEventTypeName,
} from '@reseller/presenters';
import { webhookBody, type WebhookEvent } from './webhook-event';

/** What of a domain event is needed to make a webhook of it. */
interface SourceEvent {
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly payload: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** The topics that hold something that partners can subscribe to. */
export const SOURCE_TOPICS: string[] = [...new Set(WEBHOOK_EVENTS.map(({ topic }) => topic))];

const BY_SOURCE = new Map<string, WebhookEventDeclaration<WebhookEventTypeName>>(
  WEBHOOK_EVENTS.flatMap((event) => event.sources.map((source) => [source, event] as const)),
);

/** What partners receive of a domain event (spec §10.3); undefined when that is nothing. Throws when it cannot be read. */
export function toWebhookEvent(event: SourceEvent): WebhookEvent | undefined {
  const declared = BY_SOURCE.get(event.type);
  if (!declared) return undefined;
  const { eventId, occurredAt, headers } = event;
  const { data, ...rest } = declared.present(event.type, event.payload);
  const eventType = declared.name;
  return {
    ...rest,
    ...{ eventId, eventType, occurredAt, headers },
    body: webhookBody({ eventId, eventType, occurredAt, data }),
  };
}

/** The data of an example of a type, with every field that real ones have (spec §10.7). */
export function exampleData(
  eventType: WebhookEventTypeName,
  partnerId: string,
): Readonly<Record<string, unknown>> {
  const declared = WEBHOOK_EVENTS.find(({ name }) => name === eventType);
  if (!declared) throw new Error(`${eventType} is not declared`);
  return declared.example(partnerId).data;
}
