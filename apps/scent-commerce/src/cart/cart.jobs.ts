import { createJob, type Job, type JobOptions } from '@reseller/service-kit';
import type { CartRepository } from './cart.repository';

const BATCH = 500;
const LONGEST_PAUSE_MS = 60_000;

/** Abandons carts that lay idle too long (spec §6.4), batch by batch. */
export function createIdleCartsJob(
  carts: CartRepository,
  idleMs: number,
  reporting: Pick<JobOptions, 'log' | 'metrics'>,
): Job {
  return createJob({
    name: 'abandon-idle-carts',
    intervalMs: Math.min(LONGEST_PAUSE_MS, Math.max(250, Math.floor(idleMs / 4))),
    run: async () => (await carts.abandonIdle(BATCH)) === BATCH,
    ...reporting,
  });
}
