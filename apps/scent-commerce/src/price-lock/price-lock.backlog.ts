import type { BacklogReading } from '@reseller/database';

/** How far the retention of price locks is behind: where an index over expiry begins. */
// Raw: the age by the database's clock.
export const priceLockBacklog = (keepMs: number): BacklogReading => ({
  name: 'price-locks',
  statement: {
    name: 'price_lock_backlog',
    text: `SELECT greatest(coalesce(extract(epoch FROM clock_timestamp() - min(expires_at)), 0) - $1::float8 / 1000, 0) AS seconds
      FROM price_locks`,
  },
  values: [keepMs],
  gauges: [
    {
      name: 'price_lock_deletion_overdue_seconds',
      help: 'How long ago the oldest price lock that is kept should have been deleted. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
  keepMs: 60_000,
});
