import type { Pool } from 'pg';

const batch = 1_000;

/** Deletes events older than so many hours that every group has committed, a thousand at a time; returns how many. */
export async function pruneEvents(pool: Pool, keepHours: number): Promise<number> {
  for (let total = 0; ;) {
    const { rowCount } = await pool.query(
      `DELETE FROM event_bus.event WHERE ctid = ANY (ARRAY(
         SELECT e.ctid FROM event_bus.event AS e
         WHERE e.appended_at < clock_timestamp() - make_interval(hours => $1)
           AND NOT EXISTS (SELECT FROM event_bus.group_partition AS g
                           WHERE g.topic = e.topic AND g.partition = e.partition AND g.committed_offset <= e."offset")
         LIMIT $2))`,
      [keepHours, batch],
    );
    total += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) return total;
  }
}
