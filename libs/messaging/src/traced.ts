import { SpanKind, type Span } from '@opentelemetry/api';
import {
  contextOf,
  continueFrom,
  headersWithin,
  isTracing,
  markFailed,
  REQUEST_ID,
  startSpan,
  withLogFields,
} from '@reseller/telemetry';
import type { DomainEvent } from './domain-event';
import type { Subscription } from './event-bus';

/**
 * Hands events to their handler. Each has a span of its own in the trace of the work that caused it, and reaches the handler with
 * headers that name it: whoever goes on later goes on from there. A single event's log lines say whose they are.
 */
export async function handleTraced(
  subscription: Pick<Subscription, 'group' | 'handler'>,
  events: DomainEvent[],
): Promise<void> {
  const spans = events.map((event) => spanFor('process', SpanKind.CONSUMER, event, subscription.group));
  const given = events.map((event, n) => within(event, spans[n]));
  const [only, ...others] = given;
  const run = (): Promise<void> => subscription.handler(given);
  await ending(spans, () =>
    only && others.length === 0
      ? continueFrom(only.headers, () => withLogFields({ eventId: only.eventId }, run))
      : run(),
  );
}

/** Publishes events, each in a span of its own that goes along with it. */
export async function publishTraced(
  events: DomainEvent[],
  publish: (events: DomainEvent[]) => Promise<void>,
): Promise<void> {
  const spans = events.map((event) => spanFor('publish', SpanKind.PRODUCER, event));
  await ending(spans, () => publish(events.map((event, n) => within(event, spans[n]))));
}

/** What log lines about one event say of it. */
export function eventFields(
  event: Pick<DomainEvent, 'eventId' | 'headers'>,
): Record<string, string | undefined> {
  return { eventId: event.eventId, requestId: event.headers[REQUEST_ID] };
}

// Of an event without a trace nothing is published in one: it was written by hand, or while nobody traced.
function spanFor(
  operation: 'publish' | 'process',
  kind: SpanKind,
  event: DomainEvent,
  group?: string,
): Span | undefined {
  if (!isTracing() || event.headers['traceparent'] === undefined) return undefined;
  return startSpan(`${operation} ${event.topic}`, {
    kind,
    within: contextOf(event.headers),
    attributes: {
      'messaging.system': 'reseller',
      'messaging.operation.type': operation,
      'messaging.destination.name': event.topic,
      'messaging.message.id': event.eventId,
      'reseller.event_type': event.type,
      ...(group !== undefined && { 'messaging.consumer.group.name': group }),
    },
  });
}

function within(event: DomainEvent, span: Span | undefined): DomainEvent {
  return span ? { ...event, headers: headersWithin(span, event.headers) } : event;
}

async function ending(spans: readonly (Span | undefined)[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    for (const span of spans) if (span) markFailed(span, error);
    throw error;
  } finally {
    for (const span of spans) span?.end();
  }
}
