import type { BacklogReading } from '@reseller/database';
import { createJob, type Job, type JobOptions } from '@reseller/service-kit';
import type { PriceLockRepository } from './price-lock.repository';

const BATCH = 500;
const EVERY_MS = 60_000;
/** How long an expired lock is still known to have expired; then it is unknown. */
const KEPT_MS = 30 * 86_400_000;

/** Deletes price locks 30 days past their time, batch by batch. */
export function createOldLocksJob(
  locks: PriceLockRepository,
  reporting: Pick<JobOptions, 'log' | 'metrics'>,
): Job {
  return createJob({
    name: 'delete-old-price-locks',
    intervalMs: EVERY_MS,
    run: async () => (await locks.deleteOld(KEPT_MS, BATCH)) === BATCH,
    ...reporting,
  });
}

/** How far behind that job is: where an index over expiry begins. */
// Raw: the age by the database's clock.
export const priceLockBacklog: BacklogReading = {
  name: 'price-locks',
  statement: {
    name: 'price_lock_backlog',
    text: `SELECT greatest(coalesce(extract(epoch FROM clock_timestamp() - min(expires_at)), 0) - $1::float8 / 1000, 0) AS seconds
      FROM price_locks`,
  },
  values: [KEPT_MS],
  gauges: [
    {
      name: 'price_lock_deletion_overdue_seconds',
      help: 'How long ago the oldest price lock that is kept should have been deleted. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
  keepMs: 60_000,
};
