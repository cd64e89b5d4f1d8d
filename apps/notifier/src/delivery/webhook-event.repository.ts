import { query, type Queryable } from '@reseller/database';
import type { FeedMove } from '../feed/feed-moves';
import type { WebhookEvent } from '../event/domain/webhook-event';

// Raw: events with their places in feeds and their deliveries in one statement, on the hot path of webhooks.
const TAKE = {
  name: 'webhook-take-events',
  text: `SELECT partner_id AS "partnerId", environment, last_position::text AS position, deliveries
         FROM webhook_take_events($1, $2, $3, $4, $5, $6, $7, $8::jsonb[])`,
};

/** What events have led to. */
interface TakenEvents {
  readonly deliveries: number;
  readonly moves: readonly FeedMove[];
}

/**
 * Stores events, puts each at the end of its feed and makes a delivery for each active subscription of the partner and
 * environment that wants it. An event whose id is known is left out, so repeating it changes nothing. Wake the worker once the
 * transaction has committed.
 */
export async function addWebhookEvents(db: Queryable, events: readonly WebhookEvent[]): Promise<TakenEvents> {
  if (events.length === 0) return { deliveries: 0, moves: [] };
  const moves = await query<FeedMove & { deliveries: number }>(db, TAKE, [
    events.map(({ eventId }) => eventId),
    events.map(({ partnerId }) => partnerId),
    events.map(({ environment }) => environment),
    events.map(({ eventType }) => eventType),
    events.map(({ occurredAt }) => occurredAt),
    events.map(({ orderGlobalId }) => orderGlobalId),
    events.map(({ body }) => body),
    events.map(({ headers }) => JSON.stringify(headers)),
  ]);
  return { deliveries: moves[0]?.deliveries ?? 0, moves };
}
