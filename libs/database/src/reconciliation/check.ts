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
  /** Whether new subjects come last: these are then compared in the next run, before older ones are gone through again. */
  readonly isInOrderOfTime: boolean;
  /** The next subjects after one ('' for the first), in their order. */
  page(db: Queryable, after: string, limit: number): Promise<string[]>;
  /** What does not agree of these subjects now; a subject that is gone has no difference. */
  compare(db: Queryable, subjects: readonly string[]): Promise<FoundDifference[]>;
}

/** A check within one database; each comparison is one statement, and so sees one moment. */
export interface SqlCheck extends Pick<ReconciliationCheck, 'name' | 'batch' | 'isInOrderOfTime'> {
  /** $1 the subject to go on after, $2 how many; returns `subject`. */
  readonly page: string;
  /** $1 the subjects (text[]); returns `kind`, `subject`, `expected`, `found` as text. */
  readonly compare: string;
}

/** Makes a check of two statements. */
export function sqlCheck({ page, compare, ...about }: SqlCheck): ReconciliationCheck {
  return {
    ...about,
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
