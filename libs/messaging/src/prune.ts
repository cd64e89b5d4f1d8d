import type { Pool } from 'pg';

const batch = 1_000;

async function deleteInBatches(pool: Pool, text: string, values: unknown[]): Promise<number> {
  for (let total = 0; ;) {
    const { rowCount } = await pool.query(text, [...values, batch]);
    total += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) return total;
  }
}

/** Deletes events published more than so many hours ago, a thousand at a time; returns how many. */
export function pruneOutbox(pool: Pool, keepHours: number): Promise<number> {
  return deleteInBatches(
    pool,
    `DELETE FROM outbox WHERE event_id IN (
       SELECT event_id FROM outbox WHERE published_at < clock_timestamp() - make_interval(hours => $1)
       ORDER BY published_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [keepHours],
  );
}

/** Deletes what consumers handled more than so many hours ago; keep it longer than the bus keeps events (7 days). */
export function pruneInbox(pool: Pool, keepHours: number): Promise<number> {
  return deleteInBatches(
    pool,
    `DELETE FROM inbox WHERE (consumer, event_id) IN (
       SELECT consumer, event_id FROM inbox WHERE handled_at < clock_timestamp() - make_interval(hours => $1)
       ORDER BY handled_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [keepHours],
  );
}
