import { createJob, type Job, type Logger } from '@reseller/service-kit';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { releaseLapsedStock } from './stock.repository';

const EVERY_MS = 5_000;
const BATCH = 100;

/** Frees the stock of holds that lapsed, so that what is shown as available is what can be had. */
export function createLapsedStockJob(pool: Pool, log: Logger, metrics: Registry): Job {
  return createJob({
    name: 'release-lapsed-stock',
    intervalMs: EVERY_MS,
    run: async () => (await releaseLapsedStock(pool, BATCH)) === BATCH,
    log,
    metrics,
  });
}
