import { query, type PreparedStatement } from '@reseller/database';
import { createJob, type Job, type Logger } from '@reseller/service-kit';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { KEEP_DAYS } from './delivery.repository';

const DAYS_AHEAD = 14;

const MAKE: PreparedStatement = {
  name: 'webhook-make-partitions',
  text: 'SELECT webhook_make_partitions($1)',
};
const DROP: PreparedStatement = { name: 'webhook-drop-old', text: 'SELECT webhook_drop_old($1)' };

/** Makes the partitions of the next two weeks and drops those past their time, every hour. */
export function createHousekeeping(pool: Pool, log: Logger, metrics?: Registry): Job {
  return createJob({
    name: 'webhook-housekeeping',
    intervalMs: 3_600_000,
    run: async () => {
      await query(pool, MAKE, [DAYS_AHEAD]);
      await query(pool, DROP, [KEEP_DAYS]);
    },
    log,
    metrics,
  });
}
