import { query, withTransaction, type PreparedStatement, type Queryable } from '@reseller/database';
import type { Pool } from 'pg';

const HOUR_MS = 3_600_000;
const HOUR = `interval '1 hour'`;
/** What comes later than this takes away what its hour came to. */
const LATE_MS = 600_000;
/** Before what an hour came to is added up, so that nothing that is not late is still on its way. */
const REST_MS = 2 * LATE_MS;
/** Looked at each turn; the first one looks at all there is. */
const WINDOW_MS = 48 * HOUR_MS;
const MOST_HOURS = 100;

/** What is measured. */
export type Measured = 'creates' | 'calls';

interface Source {
  /** Its rows of hour_durations. */
  readonly rows: string;
  /** SQL for the first and the last moment of which there may be something. */
  readonly bounds: string;
  /**
   * SQL for the environment, vendor, outcome and milliseconds of each from one moment on and before another. OFFSET 0 has it read by its
   * index for each such time: joined, all would be read once whenever the statistics are of a table that was nearly empty.
   */
  readonly between: (from: string, to: string) => string;
}

const MOMENT = `r.started_at + e.offset_ms * interval '1 millisecond'`;
const SOURCES: Readonly<Record<Measured, Source>> = {
  creates: {
    rows: `vendor = ''`,
    bounds: `SELECT min(ended_at) - interval '1 minute' AS first, max(ended_at) AS last FROM create_results`,
    between: (from, to) => `SELECT r.environment, '' AS vendor, r.code AS outcome, e.duration_ms AS ms
      FROM create_results AS r, unnest(r.offsets_ms, r.durations_ms) AS e (offset_ms, duration_ms)
      WHERE r.ended_at >= ${from} AND r.ended_at < ${to} + interval '1 minute' AND r.started_at < ${to}
        AND ${MOMENT} >= ${from} AND ${MOMENT} < ${to} OFFSET 0`,
  },
  calls: {
    rows: `vendor <> ''`,
    bounds: `SELECT min(recorded_at) AS first, max(recorded_at) AS last FROM vendor_calls`,
    between: (
      from,
      to,
    ) => `SELECT environment, vendor, outcome, ms FROM vendor_calls, unnest(durations_ms) AS ms
      WHERE recorded_at >= ${from} AND recorded_at < ${to} OFFSET 0`,
  },
};

/** SQL for how often there was each vendor, outcome and number of milliseconds, in environment $1 from $2 on and before $3. */
export function durationsOf(measured: Measured): string {
  const { rows, bounds, between } = SOURCES[measured];
  return `WITH whole AS (
      SELECT order_span(0, $2::timestamptz + ${HOUR} - interval '1 microsecond') AS "from", order_span(0, $3::timestamptz) AS "to"
    ), known AS MATERIALIZED (
      SELECT h.* FROM whole, hour_durations AS h WHERE hour >= "from" AND hour < "to" AND environment = $1 AND ${rows}
    ), unknown AS MATERIALIZED (
      SELECT greatest(hour, $2) AS "from", least(hour + ${HOUR}, $3) AS "to"
      FROM (${bounds}) AS bounds, generate_series(order_span(0, greatest($2, first)), least($3, last), ${HOUR}) AS hour
      WHERE first IS NOT NULL AND hour NOT IN (SELECT hour FROM known)
    )
    SELECT vendor, outcome, ms, sum(n) AS n FROM (
      SELECT vendor, outcome, e.* FROM known, unnest(durations_ms, counts) AS e (ms, n)
      UNION ALL
      SELECT vendor, outcome, ms, 1 FROM unknown, LATERAL (${between('"from"', '"to"')}) AS one WHERE environment = $1
    ) AS durations
    GROUP BY vendor, outcome, ms`;
}

const statementsOf = (measured: Measured): Record<'due' | 'addUp' | 'forget', PreparedStatement> => {
  const { rows, between } = SOURCES[measured];
  return {
    // Raw: hours of which there is something and no row.
    due: {
      name: `hour_durations_due_${measured}`,
      text: `SELECT hour FROM generate_series($1::timestamptz, $2::timestamptz, ${HOUR}) AS hour
        WHERE NOT EXISTS (SELECT FROM hour_durations AS h WHERE h.hour = hour.hour AND ${rows})
          AND EXISTS (${between('hour', `hour + ${HOUR}`)})
        ORDER BY hour DESC LIMIT ${MOST_HOURS}`,
    },
    // Raw: counts over the elements of arrays.
    addUp: {
      name: `hour_durations_add_up_${measured}`,
      text: `INSERT INTO hour_durations (hour, environment, vendor, outcome, durations_ms, counts)
        SELECT hour, environment, vendor, outcome, array_agg(ms ORDER BY ms), array_agg(n ORDER BY ms)
        FROM (
          SELECT hour, environment, vendor, outcome, ms, count(*)::integer AS n
          FROM unnest($1::timestamptz[]) AS hour, LATERAL (${between('hour', `hour + ${HOUR}`)}) AS one
          GROUP BY 1, 2, 3, 4, 5
        ) AS counted
        GROUP BY 1, 2, 3, 4`,
    },
    forget: {
      name: `hour_durations_forget_${measured}`,
      text: `DELETE FROM hour_durations WHERE hour = ANY ($1::timestamptz[]) AND ${rows}`,
    },
  };
};
const STATEMENTS = { creates: statementsOf('creates'), calls: statementsOf('calls') };

const LOCK = `hashtextextended('orders.hour_durations', 0)`;
const TRY_LOCK: PreparedStatement = {
  name: 'hour_durations_try_lock',
  text: `SELECT pg_try_advisory_xact_lock(${LOCK}) AS "isMine"`,
};
const WAIT_FOR_LOCK: PreparedStatement = {
  name: 'hour_durations_wait_for_lock',
  text: `SELECT pg_advisory_xact_lock(${LOCK})`,
};

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

/** Whether an hour that such a moment lies in may be added up already. */
export const isLate = (at: Date, now: number): boolean => at.getTime() < now - LATE_MS;

/** Takes away what the hours of these moments came to for creates, which the caller's transaction adds to; nothing is added up meanwhile. */
export async function forgetHours(tx: Queryable, moments: readonly number[]): Promise<void> {
  await query(tx, WAIT_FOR_LOCK);
  const hours = new Set(moments.map(hourOf));
  await query(tx, STATEMENTS.creates.forget, [[...hours].map((ms) => new Date(ms))]);
}

/** Adds up how long creates and calls to vendors took, so that an overview of a month reads hours and not each of them. */
export class HourDurationsRepository {
  private hasLookedBack = false;

  constructor(
    private readonly pool: Pool,
    /** For how long what was measured stays, in milliseconds. */
    private readonly keepMs: number,
  ) {}

  /** One turn of one instance; returns whether there is more to add up at once. */
  async addUp(now = Date.now()): Promise<boolean> {
    const newest = hourOf(now - REST_MS) - HOUR_MS;
    const oldest = this.hasLookedBack ? newest - WINDOW_MS : hourOf(now - this.keepMs) + 2 * HOUR_MS;
    const most = await withTransaction(this.pool, async (tx) => {
      const [lock] = await query<{ isMine: boolean }>(tx, TRY_LOCK);
      if (!lock?.isMine) return undefined;
      const counts: number[] = [];
      for (const { due, addUp } of Object.values(STATEMENTS)) {
        const hours = await query<{ hour: Date }>(tx, due, [new Date(oldest), new Date(newest)]);
        if (hours.length > 0) await query(tx, addUp, [hours.map(({ hour }) => hour)]);
        counts.push(hours.length);
      }
      return Math.max(...counts);
    });
    if (most === undefined) return false;
    this.hasLookedBack ||= most < MOST_HOURS;
    return most === MOST_HOURS;
  }
}
