import { query } from '@reseller/database';
import type { PreparedStatement, Queryable } from '@reseller/database';
import type { DomainEvent } from './domain-event';

/** Which event a consumer handles; the consumer's name is part of the key and must not change. */
interface Handling {
  consumer: string;
  event: Pick<DomainEvent, 'eventId'>;
}

const claim: PreparedStatement = {
  name: 'inbox_claim',
  text: `INSERT INTO inbox AS i (consumer, event_id, attempts, handled_at)
         VALUES ($1, $2, 1, clock_timestamp())
         ON CONFLICT (consumer, event_id) DO UPDATE SET attempts = i.attempts + 1, handled_at = clock_timestamp()
         WHERE i.handled_at IS NULL
         RETURNING 1 AS claimed`,
};

/**
 * Runs the effect unless the consumer's effect of this event is committed already, and returns whether it ran. `tx` is
 * the effect's own transaction; a second delivery at the same time waits for the first to end.
 */
export async function handleOnce(
  tx: Queryable,
  handling: Handling,
  effect: () => Promise<void>,
): Promise<boolean> {
  const claimed = await query(tx, claim, [handling.consumer, handling.event.eventId]);
  if (claimed.length === 0) return false;
  await effect();
  return true;
}

const count: PreparedStatement = {
  name: 'inbox_count_attempt',
  text: `INSERT INTO inbox AS i (consumer, event_id, attempts) VALUES ($1, $2, 1)
         ON CONFLICT (consumer, event_id) DO UPDATE SET attempts = i.attempts + 1 WHERE i.handled_at IS NULL
         RETURNING attempts`,
};

/**
 * Counts an attempt before its effect, outside of the effect's transaction, for a transport that keeps no count itself;
 * returns the count, or 0 when the effect is committed already.
 */
export async function countAttempt(db: Queryable, handling: Handling): Promise<number> {
  const rows = await query<{ attempts: number }>(db, count, [handling.consumer, handling.event.eventId]);
  return rows[0]?.attempts ?? 0;
}
