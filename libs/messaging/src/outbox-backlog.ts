import type { BacklogCursor, BacklogReading } from '@reseller/database';

/** So many are counted. */
const MOST_COUNTED = 10_000;

/** All is read once in so long at least, and for one part in so many of the time at most. */
const WHOLE_EVERY_MS = 300_000;
const WHOLE_SHARE = 20;

const unpublished = (condition: string): string =>
  `(SELECT occurred_at FROM outbox WHERE published_at IS NULL AND ${condition}
    AND occurred_at >= coalesce($1::timestamptz, '-infinity') ORDER BY occurred_at LIMIT ${MOST_COUNTED})`;

/**
 * What waits in a service's outbox, for `observeBacklogs`. Read from the table, so that it is right whichever relay works,
 * and while none does. The partial index over what is unpublished serves it, in the relay's own order. A reading begins at the
 * oldest event that the last one saw, for while a snapshot is held somewhere, all that was published since stays in the index
 * before it as dead entries. Nothing older comes later: an event is committed within two minutes, since transactions are ended
 * after one. Those of the few that are not show with the next reading of all.
 */
export const outboxBacklog = (): BacklogReading => ({ ...READING, cursor: sinceTheOldest() });

function sinceTheOldest(): BacklogCursor {
  let from: unknown = null;
  let wholeDueAt = -Infinity;
  let isWhole = true;
  return {
    next() {
      isWhole = performance.now() >= wholeDueAt;
      return [isWhole ? null : from];
    },
    saw([row], tookMs) {
      if (isWhole) wholeDueAt = performance.now() + Math.max(WHOLE_EVERY_MS, WHOLE_SHARE * tookMs);
      from = row?.['from'];
    },
  };
}

const READING: BacklogReading = {
  name: 'outbox',
  statement: {
    name: 'outbox_backlog_since',
    text: `SELECT w.seconds, w.events, p.events AS parked,
        least(w.oldest, p.oldest, clock_timestamp() - interval '2 minutes')::text AS "from"
      FROM (SELECT greatest(coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at)), 0), 0) AS seconds,
                   count(*) AS events, min(occurred_at) AS oldest FROM ${unpublished('parked_at IS NULL')} AS waiting) AS w,
           (SELECT count(*) AS events, min(occurred_at) AS oldest FROM ${unpublished('parked_at IS NOT NULL')} AS parked) AS p`,
  },
  gauges: [
    {
      name: 'outbox_oldest_unpublished_seconds',
      help: 'Age of the oldest event that is not published and not parked. Every instance shows the same: take max().',
      column: 'seconds',
    },
    {
      name: 'outbox_unpublished_events',
      help: `Events that are not published and not parked, counted up to ${MOST_COUNTED}. Every instance shows the same: take max().`,
      column: 'events',
    },
    {
      name: 'outbox_parked_events',
      help: `Events that the event bus refused for good, and those that wait behind them, counted up to ${MOST_COUNTED}. Every instance shows the same: take max().`,
      column: 'parked',
    },
  ],
};
