import { query, type PreparedStatement, type Queryable } from '@reseller/database';

/** Today and the 29 days before it, in UTC, are the 30 days of a best seller (spec §5.5). */
const FORGET: PreparedStatement = {
  name: 'forget_old_sales',
  text: `WITH gone AS (
           DELETE FROM variant_sales WHERE day <= (clock_timestamp() AT TIME ZONE 'UTC')::date - 30 RETURNING 1
         ) SELECT count(*)::int AS gone FROM gone`,
};

/** Drops the days that no longer count; the sums follow in the same statement. Answers how many went. */
export async function forgetOldSales(db: Queryable): Promise<number> {
  const [row] = await query<{ gone: number }>(db, FORGET);
  return row?.gone ?? 0;
}
