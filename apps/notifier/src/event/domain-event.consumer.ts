import type { DomainEvent, EventBus, Subscription } from '@reseller/messaging';
import type { Logger } from '@reseller/service-kit';
import { SOURCE_TOPICS, toWebhookEvent } from './domain/public-events';
import type { WebhookEvent } from './domain/webhook-event';

/** The group that takes domain events in; its name must not change. */
export const WEBHOOK_GROUP = 'notifier.webhooks';

/** Stores events with their deliveries in one transaction; those that are stored already change nothing. */
export type RecordEvents = (events: readonly WebhookEvent[]) => Promise<unknown>;

/**
 * Consumes the domain events of the other services: a batch is one transaction, and its offsets are committed after it. Kinds of
 * events that become no webhook are skipped; one that cannot be read is dead-lettered and holds nothing up.
 */
export function consumeDomainEvents(
  bus: EventBus,
  { record, log }: { record: RecordEvents; log: Pick<Logger, 'error'> },
): ReturnType<EventBus['subscribe']> {
  const subscription: Subscription = {
    group: WEBHOOK_GROUP,
    topics: SOURCE_TOPICS,
    handler: handleWith(record),
    // What cannot be read today cannot be read tomorrow, and those behind it wait; a database away does not count.
    maxAttempts: 3,
    onDeadLetter: ({ eventId, type }, err) =>
      log.error({ err, eventId, type }, 'an event with a webhook cannot be consumed'),
  };
  return bus.subscribe(subscription);
}

const handleWith =
  (record: RecordEvents) =>
  async (events: DomainEvent[]): Promise<void> => {
    const webhooks = events.map(toWebhookEvent).filter((event) => event !== undefined);
    if (webhooks.length > 0) await record(webhooks);
  };
