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

const append: PreparedStatement = {
  name: 'outbox_append',
  text: 'SELECT outbox_append($1, $2, $3, $4, $5::jsonb) AS "eventId"',
};

/** Appends the event in the caller's transaction, which holds the aggregate's sequence until it ends; returns its id. */
export async function appendToOutbox(tx: Queryable, event: OutboxEvent): Promise<string> {
  const payload = Buffer.from(event.payload);
  const headers = JSON.stringify({ ...currentHeaders(), ...event.headers });
  const rows = await query<{ eventId: string }>(tx, append, [
    event.topic,
    event.type,
    event.aggregateId,
    payload,
    headers,
  ]);
  const row = rows[0];
  if (!row) throw new Error('outbox_append returned no event id');
  return row.eventId;
}
