import { query, withTransaction } from '@reseller/database';
import type { Pool } from 'pg';

/** An event that the event bus refused for good, with the reason, and how many later ones of its aggregate wait behind it. */
interface ParkedEvent {
  eventId: string;
  topic: string;
  type: string;
  aggregateId: string;
  parkedAt: Date;
  reason: string;
  behind: number;
}

const LIST = {
  name: 'outbox_parked',
  text: `SELECT event_id AS "eventId", topic, type, aggregate_id AS "aggregateId", parked_at AS "parkedAt", parked_reason AS reason,
           (SELECT count(*)::integer FROM outbox AS b WHERE b.aggregate_id = outbox.aggregate_id
              AND b.aggregate_seq > outbox.aggregate_seq AND b.published_at IS NULL) AS behind
         FROM outbox WHERE published_at IS NULL AND parked_reason IS NOT NULL ORDER BY occurred_at LIMIT $1`,
};

/** The parked events of a service's outbox, oldest first. */
export function listParkedEvents(pool: Pool, most = 100): Promise<ParkedEvent[]> {
  return query<ParkedEvent>(pool, LIST, [most]);
}

/** The slot of an event's aggregate is locked first, so that no relay parks something behind it meanwhile. */
const LOCK = {
  name: 'outbox_lock_slot_of',
  text: `SELECT pg_advisory_xact_lock(hashtext('reseller.outbox.slot'), (hashtextextended(aggregate_id, 0) & 63)::integer)
         FROM outbox WHERE event_id = $1 AND published_at IS NULL AND parked_reason IS NOT NULL`,
};
const SKIP = {
  name: 'outbox_skip_parked',
  text: `UPDATE outbox SET published_at = clock_timestamp(), parked_reason = parked_reason || '; given up by ' || $2
         WHERE event_id = $1 AND published_at IS NULL AND parked_reason IS NOT NULL`,
};
const RELEASE = {
  name: 'outbox_release_parked',
  text: `UPDATE outbox SET parked_at = NULL, parked_reason = NULL
         WHERE aggregate_id = (SELECT aggregate_id FROM outbox WHERE event_id = $1) AND published_at IS NULL AND parked_at IS NOT NULL`,
};

/** Has a parked event and what waits behind it published again; false when no such event is parked. */
export function retryParkedEvent(pool: Pool, eventId: string): Promise<boolean> {
  return release(pool, eventId);
}

/** Gives a parked event up in this operator's name: it is never published, and what waits behind it goes on; false when no such event is parked. */
export function skipParkedEvent(pool: Pool, eventId: string, operator: string): Promise<boolean> {
  return release(pool, eventId, operator);
}

function release(pool: Pool, eventId: string, skippedBy?: string): Promise<boolean> {
  return withTransaction(pool, async (tx) => {
    const found = await query(tx, LOCK, [eventId]);
    if (found.length === 0) return false;
    if (skippedBy !== undefined) await query(tx, SKIP, [eventId, skippedBy]);
    await query(tx, RELEASE, [eventId]);
    return true;
  });
}
