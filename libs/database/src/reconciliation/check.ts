import { query, type Queryable } from '../query';

/** Two records of one thing that do not agree; all texts are for people. */
export interface FoundDifference {
  /** What of the subject it is about. */
  readonly kind: string;
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
}

/** One comparison over many subjects, which are named by texts that can be put in an order. */
export interface ReconciliationCheck {
  readonly name: string;
  /** How many subjects are compared at once. */
  readonly batch: number;
  /**
   * Only where new subjects come last, which are then compared in the next run, before older ones are gone through again: the
   * last subject that was written so many milliseconds ago by the database's clock. Subjects are named by nodes whose clocks
   * differ, so one written now may still come before it, but none whose node's clock differs by less.
   */
  settled?(db: Queryable, agoMs: number): Promise<string | undefined>;
  /** The next subjects after one ('' for the first), in their order. */
  page(db: Queryable, after: string, limit: number): Promise<string[]>;
  /** What does not agree of these subjects now; a subject that is gone has no difference. */
  compare(db: Queryable, subjects: readonly string[]): Promise<FoundDifference[]>;
}

/** A check within one database; each comparison is one statement, and so sees one moment. */
interface SqlCheck extends Pick<ReconciliationCheck, 'name' | 'batch'> {
  /** $1 how many milliseconds ago; returns `subject`, the last one written before that by the database's clock. */
  readonly settled?: string;
  /** $1 the subject to go on after, $2 how many; returns `subject`. */
  readonly page: string;
  /** $1 the subjects (text[]); returns `kind`, `subject`, `expected`, `found` as text. */
  readonly compare: string;
}

/** Makes a check of two statements. */
export function sqlCheck({ page, compare, settled, ...about }: SqlCheck): ReconciliationCheck {
  return {
    ...about,
    ...(settled !== undefined && {
      settled: (db, agoMs) => lastOf(db, { name: `reconcile ${about.name} settled`, text: settled }, agoMs),
    }),
    page: (db, after, limit) =>
      pageOf(db, { name: `reconcile ${about.name} page`, text: page }, after, limit),
    compare: (db, subjects) =>
      query<FoundDifference>(db, { name: `reconcile ${about.name}`, text: compare }, [subjects]),
  };
}

/** Subjects by a statement of the shape of SqlCheck.page. */
export async function pageOf(
  db: Queryable,
  statement: { name: string; text: string },
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await query<{ subject: string }>(db, statement, [after, limit]);
  return rows.map(({ subject }) => subject);
}

/** The subject that a statement of the shape of SqlCheck.settled finds. */
export async function lastOf(
  db: Queryable,
  statement: { name: string; text: string },
  agoMs: number,
): Promise<string | undefined> {
  const [row] = await query<{ subject: string }>(db, statement, [agoMs]);
  return row?.subject;
}
