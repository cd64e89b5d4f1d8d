import type { PoolClient } from 'pg';

/** A column of the archive: its name, its type in PostgreSQL, and where it is not the row's own, the SQL that makes it of the row `r`. */
export interface ArchivedColumn {
  readonly name: string;
  readonly type: 'uuid' | 'text' | 'boolean' | 'integer' | 'bigint' | 'timestamptz' | 'jsonb';
  readonly from?: string;
}

/** What of a table is archived. SQL is written by us, never by a caller. */
export interface ArchivedTable {
  readonly table: string;
  /** A unique column, in whose order rows are read and written. */
  readonly key: string;
  readonly columns: readonly ArchivedColumn[];
  /** What is joined to the row `r`; at most one row for each. */
  readonly join?: string;
}

/** Rows of one day that become one object. Nothing changes them until they go. */
export interface ArchivePart {
  readonly of: ArchivedTable;
  /** The UTC day under which they are found again, YYYY-MM-DD. */
  readonly day: string;
  /** The name of its object within the day; the same when it is made again. */
  readonly name: string;
  /** The relation that has the rows. */
  readonly relation: string;
  /** Which rows of it, as SQL; all of them by default. */
  readonly rows?: string;
  /** How many there are, where that is known: any other number of rows is no object. */
  readonly expected?: number;
  /** Removes the rows, in the transaction that records the object; returns how many went, where it is known. */
  remove(tx: PoolClient): Promise<number | undefined>;
}

/** Where parts come from. */
export interface ArchiveSource {
  readonly table: string;
  /** The next rows that have had their time; undefined when there are none. */
  readonly next: () => Promise<ArchivePart | undefined>;
}
