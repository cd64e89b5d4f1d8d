import { giveWay, query, type PreparedStatement } from '@reseller/database';
import { createJob, type Job } from '@reseller/service-kit';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

/** What forgetting journals works with. */
interface JournalRetentionDeps {
  readonly pool: Pool;
  /** For how long the journal of a finished saga stays after its last entry, in milliseconds. */
  readonly keepMs: number;
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
}

const EVERY_MS = 60_000;
const BATCH = 500;
/** Before the first of all orders. */
export const FIRST_ORDER = '00000000-0000-0000-0000-000000000000';
/** Before the sagas that a pass went by, unfinished then, are looked at again. */
export const PASS_MS = 86_400_000;
/** Which of `sagas` have a journal that had its time, $2 milliseconds; a line begins with its own time, and the first is the newest. */
export const JOURNAL_DUE = `state = 'Finished' AND journal <> '' AND split_part(journal, ' ', 1)::bigint
  < extract(epoch FROM clock_timestamp() - make_interval(secs => $2::float8 / 1000)) * 1000000`;

// Raw: bounded by the key, whose ids hold their time.
const FORGET: PreparedStatement = {
  name: 'saga_journal_forget',
  text: `WITH page AS MATERIALIZED (
      SELECT order_id FROM sagas
      WHERE order_id > $1 AND order_id < (SELECT uuidv7(make_interval(secs => -$2::float8 / 1000))) ORDER BY order_id LIMIT $3
    ), due AS MATERIALIZED (
      SELECT order_id FROM sagas JOIN page USING (order_id) WHERE ${JOURNAL_DUE}
      ORDER BY order_id FOR NO KEY UPDATE OF sagas SKIP LOCKED
    ), forgotten AS (
      UPDATE sagas SET journal = '' FROM due WHERE sagas.order_id = due.order_id
    )
    SELECT order_id AS last FROM page ORDER BY order_id DESC LIMIT 1`,
};

/** Empties journals that have had their time, from the saga behind `after` on; returns where to go on, undefined at the end. */
export async function forgetJournals(
  pool: Pool,
  keepMs: number,
  after = FIRST_ORDER,
): Promise<string | undefined> {
  const [page] = await query<{ last: string }>(pool, FORGET, [after, keepMs, BATCH]);
  return page?.last;
}

/** Forgets the journals of finished sagas; the sagas themselves stay for ever (spec §4.2). */
export function createJournalRetention({ pool, keepMs, log, metrics }: JournalRetentionDeps): Job {
  let after = FIRST_ORDER;
  let passEndsAt = performance.now() + PASS_MS;
  return createJob({
    name: 'journal-retention',
    afterStart: true,
    intervalMs: EVERY_MS,
    async run(signal) {
      if (performance.now() > passEndsAt) {
        after = FIRST_ORDER;
        passEndsAt = performance.now() + PASS_MS;
      }
      const startedAt = performance.now();
      const last = await forgetJournals(pool, keepMs, after);
      after = last ?? after;
      if (last !== undefined) await giveWay(performance.now() - startedAt, signal);
      return last !== undefined;
    },
    log,
    metrics,
  });
}
