import { createJob, type Job, type Logger } from '@reseller/service-kit';
import type { Registry } from 'prom-client';
import type { PartitionRepository } from './partition.repository';

/** How many days there are partitions for, should this not run any more. */
export const DAYS_AHEAD = 14;

/** Makes the partitions of the next two weeks and drops those past their time, every hour. */
export function createHousekeeping(partitions: PartitionRepository, log: Logger, metrics?: Registry): Job {
  return createJob({
    name: 'webhook-housekeeping',
    intervalMs: 3_600_000,
    run: async () => {
      await partitions.make(DAYS_AHEAD);
      await partitions.dropOld();
    },
    log,
    metrics,
  });
}
