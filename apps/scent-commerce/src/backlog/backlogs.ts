import type { BacklogReading } from '@reseller/database';

const MOST = 10_000;

/** The index over holds that have a term. */
const HOLDS: BacklogReading = {
  name: 'stock-holds',
  statement: {
    name: 'stock_hold_backlog',
    text: `SELECT count(*) AS holds, coalesce(extract(epoch FROM clock_timestamp() - min(expires_at)), 0) AS seconds
      FROM (SELECT expires_at FROM stock_holds
            WHERE state = 'Active' AND expires_at < 'infinity' AND expires_at <= clock_timestamp()
            ORDER BY expires_at LIMIT ${MOST}) AS lapsed`,
  },
  gauges: [
    {
      name: 'stock_holds_lapsed',
      help: `Stock set aside past its term and not released, up to ${MOST}. Every instance shows the same: take max().`,
      column: 'holds',
    },
    {
      name: 'stock_hold_lapsed_oldest_seconds',
      help: 'How long the oldest of them has been past its term. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
};

/** Where an index over expiry begins. */
const priceLocks = (keptMs: number): BacklogReading => ({
  name: 'price-locks',
  statement: {
    name: 'price_lock_backlog',
    text: `SELECT greatest(coalesce(extract(epoch FROM clock_timestamp() - min(expires_at)), 0) - $1::float8 / 1000, 0) AS seconds
      FROM price_locks`,
  },
  values: [keptMs],
  gauges: [
    {
      name: 'price_lock_deletion_overdue_seconds',
      help: 'How long ago the oldest price lock that is kept should have been deleted. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
  keepMs: 60_000,
});

/** What scent-commerce shows of what waits in its database; `locksKeptMs` is how long an expired lock is kept. */
export const shopBacklogs = (settings: { locksKeptMs: number }): readonly BacklogReading[] => [
  HOLDS,
  priceLocks(settings.locksKeptMs),
];
