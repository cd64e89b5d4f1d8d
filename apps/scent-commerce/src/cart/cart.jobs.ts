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
    afterStart: true,
    intervalMs: pauseFor(idleMs),
    run: async () => (await carts.abandonIdle(BATCH)) === BATCH,
    ...reporting,
  });
}

/** Removes carts that never had a line so long after their last use (spec §14.4), batch by batch. */
export function createUnusedCartsJob(
  carts: CartRepository,
  unusedMs: number,
  reporting: Pick<JobOptions, 'log' | 'metrics'>,
): Job {
  return createJob({
    name: 'remove-unused-carts',
    afterStart: true,
    intervalMs: pauseFor(unusedMs),
    run: async () => (await carts.removeUnused(unusedMs, BATCH)) === BATCH,
    ...reporting,
  });
}

const pauseFor = (afterMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(250, Math.floor(afterMs / 4)));
