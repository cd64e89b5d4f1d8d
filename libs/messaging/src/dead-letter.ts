import { createHash } from 'node:crypto';
import type { DomainEvent } from './domain-event';
import { deadLetterTopic } from './event-bus';

/** The event as it is stored in its dead-letter topic; the headers name the original and the error. */
export function toDeadLetter(
  event: DomainEvent,
  failure: { group: string; error: Error; attempts: number },
): DomainEvent {
  return {
    ...event,
    eventId: idOf(event.eventId, failure.group),
    topic: deadLetterTopic(event.topic),
    headers: {
      ...event.headers,
      'dead-letter-event-id': event.eventId,
      'dead-letter-topic': event.topic,
      'dead-letter-group': failure.group,
      'dead-letter-error': failure.error instanceof Error ? failure.error.message : String(failure.error),
      'dead-letter-attempts': String(failure.attempts),
    },
  };
}

/** One id for each event and group (a UUID of version 8), since several groups may give up on one event. */
function idOf(eventId: string, group: string): string {
  const hex = createHash('sha256').update(`${eventId}/${group}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
