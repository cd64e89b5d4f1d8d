import type { BacklogReading } from '@reseller/database';

/** So many are counted. */
const MOST_COUNTED = 10_000;

const unpublished = (condition: string): string =>
  `(SELECT occurred_at FROM outbox WHERE published_at IS NULL AND ${condition} ORDER BY occurred_at LIMIT ${MOST_COUNTED})`;

/**
 * What waits in a service's outbox, for `observeBacklogs`. Read from the table, so that it is right whichever relay works,
 * and while none does. The partial index over what is unpublished serves it, in the relay's own order.
 */
export const outboxBacklog: BacklogReading = {
  name: 'outbox',
  statement: {
    name: 'outbox_backlog',
    text: `SELECT w.seconds, w.events, p.events AS parked
      FROM (SELECT greatest(coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at)), 0), 0) AS seconds,
                   count(*) AS events FROM ${unpublished('parked_at IS NULL')} AS waiting) AS w,
           (SELECT count(*) AS events FROM ${unpublished('parked_at IS NOT NULL')} AS parked) AS p`,
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
