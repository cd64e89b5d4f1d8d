import type { BacklogReading } from '@reseller/database';

/** So many are looked at; with more waiting than that, the age is at least what is shown. */
const MOST_LOOKED_AT = 10_000;

/**
 * What waits in a service's outbox, for `observeBacklogs`. Read from the table, so that it is right whichever relay works,
 * and while none does. The partial index over what is unpublished serves it, in the relay's own order.
 */
export const outboxBacklog: BacklogReading = {
  name: 'outbox',
  statement: {
    name: 'outbox_backlog',
    text: `SELECT greatest(coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at)), 0), 0) AS seconds,
        count(*) AS events
      FROM (SELECT occurred_at FROM outbox WHERE published_at IS NULL
            ORDER BY aggregate_id, aggregate_seq LIMIT ${MOST_LOOKED_AT}) AS waiting`,
  },
  gauges: [
    {
      name: 'outbox_oldest_unpublished_seconds',
      help: `Age of the oldest event that is not published, among the first ${MOST_LOOKED_AT}. Every instance shows the same: take max().`,
      column: 'seconds',
    },
    {
      name: 'outbox_unpublished_events',
      help: `Events that are not published, counted up to ${MOST_LOOKED_AT}. Every instance shows the same: take max().`,
      column: 'events',
    },
  ],
};
