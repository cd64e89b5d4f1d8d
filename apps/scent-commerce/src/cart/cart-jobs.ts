import { createJob, type Job, type JobOptions } from '@reseller/service-kit';
import type { PriceLockRepository } from '../price-lock/price-lock.repository';
import type { CartRepository } from './cart.repository';

const BATCH = 500;
const LONGEST_PAUSE_MS = 60_000;
/** So long an expired lock still answers that it has expired; then it is unknown. */
export const LOCKS_KEPT_MS = 30 * 86_400_000;

type Reporting = Pick<JobOptions, 'log' | 'metrics'>;

/** Abandons carts that lay idle too long (spec §6.4), batch by batch. */
export function createIdleCartsJob(carts: CartRepository, idleMs: number, reporting: Reporting): Job {
  return createJob({
    name: 'abandon-idle-carts',
    intervalMs: Math.min(LONGEST_PAUSE_MS, Math.max(250, Math.floor(idleMs / 4))),
    run: async () => (await carts.abandonIdle(BATCH)) === BATCH,
    ...reporting,
  });
}

/** Deletes price locks long past their time, batch by batch. */
export function createOldLocksJob(locks: PriceLockRepository, reporting: Reporting): Job {
  return createJob({
    name: 'delete-old-price-locks',
    intervalMs: LONGEST_PAUSE_MS,
    run: async () => (await locks.deleteOld(LOCKS_KEPT_MS, BATCH)) === BATCH,
    ...reporting,
  });
}
