/** For how long a table keeps which rows. Conditions are SQL over the table's own columns, written by us, never by a caller. */
export interface RetentionRule {
  /** Also the label of its metrics. */
  readonly table: string;
  /** Whether a row has had its time; $1 is the moment that lies `keepMs` back on the database's clock. */
  readonly expired: string;
  /** The order in which rows come of age. With `among` an index serves it: a turn looks at the first `batch` rows only. */
  readonly oldestFirst: string;
  /** Which rows are looked at, when others never go; may use $1. */
  readonly among?: string;
  /** Rows of other tables that go with them: their column `column` holds this table's `key`. */
  readonly with?: readonly { readonly table: string; readonly column: string; readonly key: string }[];
  readonly keepMs: number;
  /** The most rows of a first turn; 500 by default. */
  readonly batch?: number;
}

/** The most rows of a first turn of the rule. */
export const batchOf = (rule: RetentionRule): number => rule.batch ?? 500;

/** A turn that took so long had enough rows, and whoever waits for one of them has waited enough. */
const LONG_MS = 200;
const LARGEST = 16;

/**
 * The most rows of the turn after one of `batch` rows that left some: twice as many while turns are short, up to sixteen times the first,
 * half as many after a long one. What a turn reads besides, such as what was removed since somebody's snapshot, is shared by more rows so.
 */
export function nextBatch(rule: RetentionRule, batch: number, tookMs: number): number {
  if (tookMs > LONG_MS) return Math.max(batchOf(rule), Math.floor(batch / 2));
  return tookMs > LONG_MS / 2 ? batch : Math.min(batch * 2, LARGEST * batchOf(rule));
}

/**
 * Deletes the first rows past their time and returns how many. Raw: one statement in bounded time; one instance at a time does it,
 * and what changed since it was looked at stays.
 */
export function removalOf({
  table,
  expired,
  oldestFirst,
  among,
  with: dependents = [],
}: RetentionRule): string {
  const past = `(SELECT clock_timestamp() - make_interval(secs => $1::float8 / 1000))`;
  const filled = (condition: string): string => condition.replaceAll('$1', past);
  const keys = [...new Set(dependents.map(({ key }) => key))];
  const others = dependents
    .map(
      ({ table: of, column, key }, n) =>
        `, other_${n} AS (DELETE FROM ${of} WHERE ${column} IN (SELECT ${key} FROM gone))`,
    )
    .join('');
  return `WITH turn AS MATERIALIZED (
        SELECT pg_try_advisory_xact_lock(hashtext('reseller.retention'), hashtext('${table}')) AS "isMine"
      ), gone AS (
        DELETE FROM ${table} WHERE (SELECT "isMine" FROM turn) AND ctid = ANY (ARRAY(
          SELECT oldest._place FROM (SELECT ctid AS _place, ${table}.* FROM ${table}
            WHERE ${filled(among ?? 'true')} ORDER BY ${oldestFirst} LIMIT $2) AS oldest
          WHERE ${filled(expired)})) AND ${filled(expired)}
        RETURNING ${keys.length > 0 ? keys.join(', ') : '1'}
      )${others}
      SELECT count(*)::integer AS gone FROM gone`;
}
