import type { BacklogReading } from '@reseller/database';
import { createJob, type Job, type JobOptions, type Logger } from '@reseller/service-kit';
import type { Pool } from 'pg';
import { ENVIRONMENTS } from '../stock/stock.repository';
import { notifyRegistrations } from './notify-registrations';

const EVERY_MS = 1_000;

/**
 * Notifies who waits for variants that are back in stock, piece by piece. Stock rises in many ways, all of which the trigger
 * `stock_risen` sees; it leaves one row, and the events are made here. In the stock's own transaction 100,000 registrations held
 * its row, and every checkout of the variant, for as long as that took, and a time-out undid the restock. Registrations and rises
 * take numbers of one sequence while they hold the stock row, so "before" is exact without a clock.
 */
export function createBackInStockJob(pool: Pool, reporting: Pick<JobOptions, 'log' | 'metrics'>): Job {
  return createJob({
    name: 'notify-back-in-stock',
    intervalMs: EVERY_MS,
    run: async () => (await notifyRegistrations(pool)) || 'idle',
    ...reporting,
  });
}

/** Notifies a first piece of each environment at once, after a change of stock was committed. What fails is left to the job. */
export async function notifyFirst(pool: Pool, log: Pick<Logger, 'warn'>): Promise<void> {
  try {
    for (const _ of ENVIRONMENTS) if (!(await notifyRegistrations(pool))) return;
  } catch (err) {
    log.warn({ err }, 'registrations could not be notified yet');
  }
}

/** How far behind that job is. There are as few rows as rises under way. */
// Raw: the age by the database's clock.
export const stockRiseBacklog: BacklogReading = {
  name: 'stock-rises',
  statement: {
    name: 'stock_rise_backlog',
    text: `SELECT greatest(coalesce(extract(epoch FROM clock_timestamp() - min(risen_at)), 0), 0) AS seconds FROM stock_rises`,
  },
  gauges: [
    {
      name: 'back_in_stock_oldest_rise_seconds',
      help: 'How long ago the oldest rise of stock was whose registrations are not all notified. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
};
