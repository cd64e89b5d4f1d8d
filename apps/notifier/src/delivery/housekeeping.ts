import { createJob, type Job, type Logger } from '@reseller/service-kit';
import type { Registry } from 'prom-client';
import type { RetentionRule } from '@reseller/database';
import type { DeliveryCountRepository } from './delivery-count.repository';
import { KEEP_DAYS, KEEP_EVENT_DAYS, type PartitionRepository } from './partition.repository';

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

/** Adds the counts of minutes to those of days, every minute. */
export function createCountFolding(counts: DeliveryCountRepository, log: Logger, metrics?: Registry): Job {
  return createJob({
    name: 'webhook-count-folding',
    afterStart: true,
    intervalMs: 60_000,
    run: () => counts.fold(),
    log,
    metrics,
  });
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What goes row by row, as its tables have no partitions. */
export const WEBHOOK_RETENTION: readonly RetentionRule[] = [
  // What was never sent, because its subscription stayed paused, goes when it would be listed no more.
  {
    table: 'webhook_pending_deliveries',
    oldestFirst: 'id',
    expired: 'id < (SELECT uuidv7($1 - clock_timestamp()))',
    keepMs: (KEEP_DAYS + 1) * DAY_MS,
  },
  {
    table: 'webhook_redeliveries',
    oldestFirst: 'last_at',
    expired: 'last_at < $1',
    keepMs: KEEP_EVENT_DAYS * DAY_MS,
  },
  {
    table: 'webhook_last_attempts',
    oldestFirst: 'minute',
    among: `minute < $1 AND (
      EXISTS (SELECT FROM webhook_last_attempts later
        WHERE later.subscription_id = webhook_last_attempts.subscription_id AND later.minute > webhook_last_attempts.minute)
      OR NOT EXISTS (SELECT FROM webhook_subscriptions s WHERE s.id = webhook_last_attempts.subscription_id))`,
    expired: 'minute < $1',
    keepMs: HOUR_MS,
  },
  { table: 'webhook_leases', oldestFirst: 'lease_until', expired: 'lease_until < $1', keepMs: HOUR_MS },
];
