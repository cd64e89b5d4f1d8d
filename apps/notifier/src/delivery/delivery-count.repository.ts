import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';

/** The first minute that is not in `webhook_delivery_counts` yet; it is the newest of rows that are only added. */
export const NOT_FOLDED = `coalesce((SELECT upto FROM webhook_count_folds ORDER BY upto DESC LIMIT 1), '-infinity')`;

/** Whoever counted in a minute has committed so long after it: transactions are ended after a minute. */
const REST_MS = 120_000;
/** Looked at again each time, should one have been later all the same; and at all once in so many times. */
const AGAIN_MS = 600_000;
const WHOLE_EVERY = 60;

// Raw, all of it: one transaction moves counts from minutes to days, by the database's clock, and readers see all or nothing of it.
const TURN: PreparedStatement = {
  name: 'webhook-fold-turn',
  text: `SELECT date_trunc('minute', clock_timestamp() - $1 * interval '1 millisecond') AS "upTo",
           ${NOT_FOLDED} - $2 * interval '1 millisecond' AS since
         WHERE pg_try_advisory_xact_lock(7700003)`,
};
// The upserts come in the order in which the version before makes its own.
const FOLD: PreparedStatement = {
  name: 'webhook-fold-counts',
  text: `WITH done AS (
           DELETE FROM webhook_delivery_minutes WHERE minute < $1 AND minute >= $2
           RETURNING subscription_id, day, event_type, status, n
         ), added AS (
           INSERT INTO webhook_delivery_counts AS c (subscription_id, day, event_type, status, n)
           SELECT subscription_id, day, event_type, status, sum(n) FROM done GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
           ON CONFLICT (subscription_id, day, event_type, status) DO UPDATE SET n = c.n + excluded.n
         ), forgotten AS (
           DELETE FROM webhook_count_folds WHERE upto < $1 - interval '1 hour'
         )
         INSERT INTO webhook_count_folds (upto) VALUES ($1) ON CONFLICT (upto) DO NOTHING`,
};

/**
 * Adds the counts of minutes to those of days. A day's row changes once a minute instead of with every batch of results, so
 * recording does not read past what it wrote before while a snapshot is held somewhere; nor does a list, which reads the minutes
 * that are left from the first of them on.
 */
export class DeliveryCountRepository {
  private folds = 0;

  constructor(private readonly pool: Pool) {}

  /** Adds up the minutes that ended so long ago; once a minute. Several instances take turns. */
  fold(restMs = REST_MS): Promise<void> {
    return withTransaction(this.pool, async (tx) => {
      const [turn] = await query<{ upTo: Date; since: Date | number }>(tx, TURN, [restMs, AGAIN_MS]);
      if (!turn) return;
      const isWhole = this.folds % WHOLE_EVERY === 0;
      await query(tx, FOLD, [turn.upTo, isWhole || !(turn.since instanceof Date) ? '-infinity' : turn.since]);
      this.folds += 1;
    });
  }
}
