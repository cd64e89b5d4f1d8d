import type { Logger } from 'pino';
import type { Pool } from 'pg';

/** So many segments make up the time that events are kept. */
const SEGMENTS_IN_KEEP = 7;
const MOST_BYTES = 1024 ** 3;

/** Begins a segment of the log when it is time, and drops those whose events are older than so many hours and past every group. */
export async function tendSegments(
  { pool, log }: { pool: Pool; log: Pick<Logger, 'info'> },
  keepHours: number,
): Promise<void> {
  const keep = keepHours * 3_600;
  const begun = await pool.query<{ segment: number | null }>(
    'SELECT event_bus.begin_segment(make_interval(secs => $1), $2) AS segment',
    [keep / SEGMENTS_IN_KEEP, MOST_BYTES],
  );
  if (begun.rows[0]?.segment != null)
    log.info({ segment: begun.rows[0].segment }, 'the event bus began a segment');
  for (;;) {
    const dropped = await pool.query<{ segment: number | null }>(
      'SELECT event_bus.drop_segment(make_interval(secs => $1)) AS segment',
      [keep],
    );
    const segment = dropped.rows[0]?.segment ?? null;
    if (segment === null) return;
    log.info({ segment }, 'the event bus dropped a segment');
  }
}
