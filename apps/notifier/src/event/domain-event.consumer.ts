import type { DomainEvent, EventHandler } from '@reseller/messaging';
import { toWebhookEvent } from './domain/public-events';
import type { WebhookEvent } from './domain/webhook-event';

/** The group that takes domain events in; its name must not change. */
const WEBHOOK_GROUP = 'notifier.webhooks';

/** Stores events with their deliveries in one transaction; those that are stored already change nothing. */
type RecordEvents = (events: readonly WebhookEvent[]) => Promise<unknown>;

/**
 * Consumes the domain events of the other services: a batch is one transaction, and its offsets are committed after it. Kinds of
 * events that become no webhook are skipped; one that cannot be read becomes a dead letter. Each is a fact of its own, so
 * one may come after those that followed it (spec §10.3).
 */
export function createWebhookConsumer(record: RecordEvents): EventHandler {
  const handler = async (events: DomainEvent[]): Promise<void> => {
    const webhooks = events.map(toWebhookEvent).filter((event) => event !== undefined);
    if (webhooks.length > 0) await record(webhooks);
  };
  return { group: WEBHOOK_GROUP, handler };
}
