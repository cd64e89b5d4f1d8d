import type { PageBounds } from '../page';
import { query, type PreparedStatement, type Queryable } from '../query';
import type { FoundDifference } from './check';

/** Where a check stands; a pass is under way while `atSubject` is not null. */
export interface CheckState {
  /** The database's time when it stood there. */
  readonly at: Date;
  readonly head: string | null;
  readonly atSubject: string | null;
  /** Of the pass under way, or else of the last one that compared anything. */
  readonly passStartedAt: Date | null;
  /** Compared so far by the pass under way, and by the last one that ended. */
  readonly passSubjects: number;
  readonly lastPassSubjects: number | null;
  readonly passCompletedAt: Date | null;
  /** Of the last pass that ended and compared anything. */
  readonly lastPassStartedAt: Date | null;
}

/** Open differences count; those that were accepted with their figures of now, or are gone, do not. */
export type DifferenceStateName = 'Open' | 'Accepted' | 'Resolved';

/** A recorded difference. */
export interface RecordedDifference extends FoundDifference {
  readonly id: string;
  readonly check: string;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly resolvedAt: Date | null;
  readonly state: DifferenceStateName;
  /** The last acceptance: all null when there was none. */
  readonly acceptedExpected: string | null;
  readonly acceptedFound: string | null;
  readonly acceptedAt: Date | null;
  readonly acceptedBy: string | null;
  readonly acceptedNotes: string | null;
}

/** Who accepts a difference, with which figures, and why. */
export interface Acceptance {
  readonly expected: string;
  readonly found: string;
  readonly acceptedBy: string;
  readonly notes: string;
}

/** What narrows a list of differences. */
interface DifferenceFilter {
  readonly check?: string | undefined;
  readonly isOpen?: boolean | undefined;
  readonly state?: DifferenceStateName | undefined;
}

// Follows from the figures, so that whatever changes them makes it open again, also a process of the version before.
const IS_ACCEPTED = '((accepted_expected, accepted_found) IS NOT DISTINCT FROM (expected, found))';

/** What makes a difference count, in SQL. */
export const IS_OPEN = `(resolved_at IS NULL AND NOT ${IS_ACCEPTED})`;

const STATE = `CASE WHEN resolved_at IS NOT NULL THEN 'Resolved' WHEN ${IS_ACCEPTED} THEN 'Accepted' ELSE 'Open' END`;
const COLUMNS = `id, check_name AS "check", kind, subject, expected, found, first_seen_at AS "firstSeenAt", last_seen_at AS "lastSeenAt",
  resolved_at AS "resolvedAt", ${STATE} AS state, accepted_expected AS "acceptedExpected", accepted_found AS "acceptedFound",
  accepted_at AS "acceptedAt", accepted_by AS "acceptedBy", accepted_notes AS "acceptedNotes"`;

const LOAD: PreparedStatement = {
  name: 'reconciliation_load',
  text: `INSERT INTO reconciliation_checks (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = EXCLUDED.name
    RETURNING clock_timestamp() AS at, head, at_subject AS "atSubject", pass_started_at AS "passStartedAt", pass_completed_at AS "passCompletedAt",
      pass_subjects::float8 AS "passSubjects", last_pass_subjects::float8 AS "lastPassSubjects", last_pass_started_at AS "lastPassStartedAt"`,
};
const FOLLOWED: PreparedStatement = {
  name: 'reconciliation_followed',
  text: 'UPDATE reconciliation_checks SET head = $2 WHERE name = $1',
};
const ADVANCED: PreparedStatement = {
  name: 'reconciliation_advanced',
  text: `UPDATE reconciliation_checks SET at_subject = $2, pass_subjects = pass_subjects + $3,
    pass_started_at = CASE WHEN at_subject IS NULL THEN $4 ELSE pass_started_at END WHERE name = $1`,
};
const COMPLETED: PreparedStatement = {
  name: 'reconciliation_completed',
  text: `UPDATE reconciliation_checks SET head = coalesce(head, least(at_subject COLLATE "C", $2 COLLATE "C")), at_subject = NULL,
    last_pass_started_at = CASE WHEN at_subject IS NULL THEN last_pass_started_at ELSE pass_started_at END,
    last_pass_subjects = pass_subjects, pass_subjects = 0, pass_completed_at = clock_timestamp() WHERE name = $1 RETURNING pass_completed_at AS "passCompletedAt"`,
};
const BEGUN_ANEW: PreparedStatement = {
  name: 'reconciliation_begun_anew',
  text: 'UPDATE reconciliation_checks SET at_subject = NULL, pass_subjects = 0 WHERE name = $1',
};
const RECORD: PreparedStatement = {
  name: 'reconciliation_record',
  text: `WITH found AS (
      SELECT * FROM jsonb_to_recordset($3::jsonb) AS f (kind text, subject text, expected text, found text)
    ), accepted AS (
      SELECT kind, subject FROM reconciliation_differences
      WHERE check_name = $1 AND resolved_at IS NULL AND subject = ANY ($2) AND ${IS_ACCEPTED}
    ), gone AS (
      UPDATE reconciliation_differences d SET resolved_at = clock_timestamp()
      WHERE check_name = $1 AND resolved_at IS NULL AND subject = ANY ($2)
        AND NOT EXISTS (SELECT 1 FROM found f WHERE f.kind = d.kind AND f.subject = d.subject)
      RETURNING kind, subject, expected, found
    ), seen AS (
      INSERT INTO reconciliation_differences (check_name, kind, subject, expected, found)
      SELECT $1, kind, subject, expected, found FROM found
      ON CONFLICT (check_name, kind, subject) WHERE resolved_at IS NULL
      DO UPDATE SET last_seen_at = clock_timestamp(), expected = EXCLUDED.expected, found = EXCLUDED.found
      RETURNING kind, subject, expected, found, (xmax = 0) AS is_new, ${IS_OPEN} AS is_open
    )
    SELECT 'new' AS what, kind, subject, expected, found FROM seen WHERE is_new
    UNION ALL SELECT 'reopened', kind, subject, expected, found FROM seen JOIN accepted USING (kind, subject) WHERE is_open
    UNION ALL SELECT 'gone', kind, subject, expected, found FROM gone`,
};
const OPEN_SUBJECTS: PreparedStatement = {
  name: 'reconciliation_open_subjects',
  text: `SELECT DISTINCT subject FROM reconciliation_differences
    WHERE check_name = $1 AND resolved_at IS NULL AND subject > $2 ORDER BY subject LIMIT $3`,
};
const COUNT_OPEN: PreparedStatement = {
  name: 'reconciliation_count_open',
  text: `SELECT count(*)::int AS total FROM reconciliation_differences WHERE check_name = $1 AND ${IS_OPEN}`,
};
const MATCHING = `FROM reconciliation_differences
  WHERE ($1::text IS NULL OR check_name = $1) AND ($2::boolean IS NULL OR ${IS_OPEN} = $2) AND ($3::text IS NULL OR ${STATE} = $3)`;
const COUNT: PreparedStatement = {
  name: 'reconciliation_count',
  text: `SELECT count(*)::int AS total ${MATCHING}`,
};
const LIST: PreparedStatement = {
  name: 'reconciliation_list',
  text: `SELECT ${COLUMNS} ${MATCHING}
    ORDER BY first_seen_at DESC, id DESC OFFSET $4 LIMIT $5`,
};
const FIND: PreparedStatement = {
  name: 'reconciliation_find',
  text: `SELECT ${COLUMNS} FROM reconciliation_differences WHERE id = $1`,
};
// The figures are compared in the statement that writes: a comparison that finds others meanwhile wins.
const ACCEPT: PreparedStatement = {
  name: 'reconciliation_accept',
  text: `UPDATE reconciliation_differences SET accepted_expected = expected, accepted_found = found,
    accepted_at = clock_timestamp(), accepted_by = $4, accepted_notes = $5
    WHERE id = $1 AND expected = $2 AND found = $3 AND ${IS_OPEN} RETURNING ${COLUMNS}`,
};
const REOPEN: PreparedStatement = {
  name: 'reconciliation_reopen',
  text: `UPDATE reconciliation_differences SET accepted_expected = NULL, accepted_found = NULL, accepted_at = NULL, accepted_by = NULL,
    accepted_notes = NULL WHERE id = $1 AND resolved_at IS NULL AND accepted_at IS NOT NULL RETURNING ${COLUMNS}`,
};

/** Keeps where the checks stand and what they found; see sql/reconciliation.sql. */
export class ReconciliationRepository {
  constructor(private readonly db: Queryable) {}

  async load(check: string): Promise<CheckState> {
    const [row] = await query<CheckState>(this.db, LOAD, [check]);
    if (!row) throw new Error(`nothing is known of check ${check}`);
    return row;
  }

  async followedTo(check: string, head: string): Promise<void> {
    await query(this.db, FOLLOWED, [check, head]);
  }

  /** Carries the pass on, or begins one that started at `startedAt`. */
  async advancedTo(check: string, subject: string, compared: number, startedAt: Date): Promise<void> {
    await query(this.db, ADVANCED, [check, subject, compared, startedAt]);
  }

  /** Has the next pass begin with the first subject. */
  async begunAnew(check: string): Promise<void> {
    await query(this.db, BEGUN_ANEW, [check]);
  }

  /** Ends the pass and returns when; what comes after `settled` is new to the next run. */
  async completed(check: string, settled: string): Promise<Date> {
    const [row] = await query<{ passCompletedAt: Date }>(this.db, COMPLETED, [check, settled]);
    if (!row) throw new Error(`nothing is known of check ${check}`);
    return row.passCompletedAt;
  }

  /** Writes what these subjects were found to be, and returns what is new, what is gone, and what was accepted with other figures. */
  async record(
    check: string,
    subjects: readonly string[],
    found: readonly FoundDifference[],
  ): Promise<({ what: 'new' | 'gone' | 'reopened' } & FoundDifference)[]> {
    return query(this.db, RECORD, [check, subjects, JSON.stringify(found)]);
  }

  async openSubjects(check: string, after: string, limit: number): Promise<string[]> {
    const rows = await query<{ subject: string }>(this.db, OPEN_SUBJECTS, [check, after, limit]);
    return rows.map(({ subject }) => subject);
  }

  async countOpen(check: string): Promise<number> {
    const [row] = await query<{ total: number }>(this.db, COUNT_OPEN, [check]);
    return row?.total ?? 0;
  }

  async list(
    { check, isOpen, state }: DifferenceFilter,
    { offset, limit }: PageBounds,
  ): Promise<{ differences: RecordedDifference[]; totalCount: number }> {
    const filter = [check ?? null, isOpen ?? null, state ?? null];
    const [counted] = await query<{ total: number }>(this.db, COUNT, filter);
    const differences =
      limit > 0 ? await query<RecordedDifference>(this.db, LIST, [...filter, offset, limit]) : [];
    return { differences, totalCount: counted?.total ?? 0 };
  }

  async find(id: string): Promise<RecordedDifference | undefined> {
    const [row] = await query<RecordedDifference>(this.db, FIND, [id]);
    return row;
  }

  /** Takes the acceptance of one that is still there back; undefined for any other. */
  async reopen(id: string): Promise<RecordedDifference | undefined> {
    const [row] = await query<RecordedDifference>(this.db, REOPEN, [id]);
    return row;
  }

  /** Accepts one that is open and has these figures now; undefined for any other. */
  async accept(
    id: string,
    { expected, found, acceptedBy, notes }: Acceptance,
  ): Promise<RecordedDifference | undefined> {
    const values = [id, expected, found, acceptedBy, notes];
    const [row] = await query<RecordedDifference>(this.db, ACCEPT, values);
    return row;
  }
}
