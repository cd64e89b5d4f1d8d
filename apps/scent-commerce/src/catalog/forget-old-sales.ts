import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import { createJob, type Job, type JobOptions } from '@reseller/service-kit';

type Pool = Parameters<typeof withTransaction>[0];

/** Today and the 29 days before it, in UTC, are the 30 days of a best seller (spec §5.5). */
const OLD = `day <= (clock_timestamp() AT TIME ZONE 'UTC')::date - 30`;

// Raw: sums are locked in the order in which checkouts add to them, and follow their days in one statement.
const LOCK_TOTALS: PreparedStatement = {
  name: 'lock_sales_totals',
  text: `SELECT 1 FROM sales_totals WHERE variant_id IN (SELECT variant_id FROM daily_sales WHERE ${OLD})
         ORDER BY variant_id, environment FOR NO KEY UPDATE`,
};
const FORGET: PreparedStatement = {
  name: 'forget_old_sales',
  text: `WITH gone AS (DELETE FROM daily_sales WHERE ${OLD} RETURNING variant_id, environment, units),
           less AS (
             UPDATE sales_totals t SET units = t.units - g.units
             FROM (SELECT variant_id, environment, sum(units)::int AS units FROM gone GROUP BY variant_id, environment) g
             WHERE t.variant_id = g.variant_id AND t.environment = g.environment
           )
         SELECT count(*)::int AS gone FROM gone`,
};

/** Drops the days that no longer count for best sellers; the sums follow. Returns how many went. */
export async function forgetOldSales(pool: Pool): Promise<number> {
  return withTransaction(pool, async (tx) => {
    await query(tx, LOCK_TOTALS);
    const [row] = await query<{ gone: number }>(tx, FORGET);
    return row?.gone ?? 0;
  });
}

/** A day that stops to count is to be gone soon after midnight. */
const EVERY_MS = 300_000;

/** Drops old sales every five minutes. */
export const createForgetOldSalesJob = (pool: Pool, reporting: Pick<JobOptions, 'log' | 'metrics'>): Job =>
  createJob({
    name: 'forget-old-sales',
    afterStart: true,
    intervalMs: EVERY_MS,
    run: () => forgetOldSales(pool).then(() => false),
    ...reporting,
  });
