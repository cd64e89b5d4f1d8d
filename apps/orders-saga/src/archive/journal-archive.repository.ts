import { partOfIds, type ArchivePart, type ArchiveSource } from '@reseller/archive';
import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import { FIRST_ORDER, JOURNAL_DUE, PASS_MS } from '../saga/journal-retention';
import { JOURNALS } from './archived-tables';

const PAGE = 5_000;

// Raw: bounded by the key, whose ids hold their time.
const DUE: PreparedStatement = {
  name: 'archive_journals_due',
  text: `WITH page AS MATERIALIZED (
      SELECT order_id FROM sagas
      WHERE order_id > $1 AND order_id < (SELECT uuidv7(make_interval(secs => -$2::float8 / 1000))) ORDER BY order_id LIMIT $3
    ), due AS MATERIALIZED (
      SELECT order_id, uuidv7_time(order_id) AT TIME ZONE 'UTC' AS made FROM sagas JOIN page USING (order_id)
      WHERE ${JOURNAL_DUE}
    )
    SELECT (SELECT order_id::text FROM page ORDER BY order_id DESC LIMIT 1) AS last, (SELECT min(made)::date FROM due) AS day,
      ARRAY(SELECT order_id::text FROM due WHERE made::date = (SELECT min(made)::date FROM due) ORDER BY 1) AS ids`,
};
const FORGET = (condition: string): string =>
  `UPDATE sagas SET journal = '' WHERE ${condition} AND ${JOURNAL_DUE.replaceAll('$2', '$1')}`;

interface Due {
  last: string | null;
  day: string | null;
  ids: string[];
}

/** Journals that have had their time, some of one day at a time; a pass goes by all old sagas, and the next begins a day later. */
export function journalSource(pool: Pool, keepMs: number): ArchiveSource {
  let after = FIRST_ORDER;
  let passEndsAt = performance.now() + PASS_MS;
  const next = async (): Promise<ArchivePart | undefined> => {
    if (performance.now() > passEndsAt) {
      after = FIRST_ORDER;
      passEndsAt = performance.now() + PASS_MS;
    }
    for (;;) {
      const [due] = await query<Due>(pool, DUE, [after, keepMs, PAGE]);
      if (!due || due.last === null) return undefined;
      if (due.day !== null)
        return partOfIds(JOURNALS, {
          day: due.day,
          name: 'journals',
          relation: 'sagas',
          ids: due.ids,
          isThere: `journal <> ''`,
          // One that an operator went on with meanwhile is no longer due: then none of them goes.
          remove: async (tx, condition) => (await tx.query(FORGET(condition), [keepMs])).rowCount ?? 0,
        });
      after = due.last;
    }
  };
  return { table: JOURNALS.table, next };
}
