import { query } from '@reseller/database';
import type { PreparedStatement, Queryable } from '@reseller/database';
import { currentHeaders } from '@reseller/telemetry';

/** An event as a service publishes it; the outbox adds id, sequence, time, and the headers of the work under way. */
export interface OutboxEvent {
  topic: string;
  type: string;
  aggregateId: string;
  payload: Uint8Array;
  headers?: Record<string, string>;
}

// Raw: sequence and event are one statement, whose row lock gives the numbers out in commit order and without gaps.
const APPEND: PreparedStatement = {
  name: 'outbox-append',
  text: `WITH next AS (
      INSERT INTO outbox_aggregate AS a (aggregate_id, last_seq) VALUES ($3, 1)
      ON CONFLICT (aggregate_id) DO UPDATE SET last_seq = a.last_seq + 1
      RETURNING a.last_seq
    )
    INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, headers)
    SELECT uuidv7(), $1, $2, $3, next.last_seq, $4, $5::jsonb FROM next
    RETURNING event_id AS "eventId"`,
};

/** Appends the event in the caller's transaction, which holds the aggregate's sequence until it ends; returns its id. */
export async function appendToOutbox(tx: Queryable, event: OutboxEvent): Promise<string> {
  const payload = Buffer.from(event.payload);
  const headers = JSON.stringify({ ...currentHeaders(), ...event.headers });
  const rows = await query<{ eventId: string }>(tx, APPEND, [
    event.topic,
    event.type,
    event.aggregateId,
    payload,
    headers,
  ]);
  const row = rows[0];
  if (!row) throw new Error('the outbox returned no event id');
  return row.eventId;
}
