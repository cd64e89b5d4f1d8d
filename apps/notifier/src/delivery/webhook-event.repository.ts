import { query, type Queryable } from '@reseller/database';
import type { WebhookEvent } from '../event/domain/webhook-event';

// Raw: events with their deliveries in one statement, on the hot path of webhooks.
const ADD = {
  name: 'webhook-add-events',
  text: 'SELECT webhook_add_events($1, $2, $3, $4, $5, $6, $7, $8::jsonb[]) AS made',
};

/**
 * Stores events and makes a delivery for each active subscription of the partner and environment that wants one; returns
 * how many deliveries. An event whose id is known is left out, so repeating it changes nothing. Wake the worker once the
 * transaction has committed.
 */
export async function addWebhookEvents(db: Queryable, events: readonly WebhookEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const [row] = await query<{ made: number }>(db, ADD, [
    events.map(({ eventId }) => eventId),
    events.map(({ partnerId }) => partnerId),
    events.map(({ environment }) => environment),
    events.map(({ eventType }) => eventType),
    events.map(({ occurredAt }) => occurredAt),
    events.map(({ orderGlobalId }) => orderGlobalId),
    events.map(({ body }) => body),
    events.map(({ headers }) => JSON.stringify(headers)),
  ]);
  return row?.made ?? 0;
}
