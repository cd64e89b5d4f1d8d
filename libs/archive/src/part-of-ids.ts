import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { ArchivedTable, ArchivePart } from './archived-table';

/** Rows of a relation by their ids, which are UUIDs that the database gave out. */
export interface RowsById {
  readonly day: string;
  /** What the object's name begins with. */
  readonly name: string;
  readonly relation: string;
  readonly ids: readonly string[];
  /** Removes those that meet the condition, and returns how many did. */
  remove(tx: PoolClient, condition: string): Promise<number>;
}

/** A part of rows by their ids. Its object is named after which rows these are, so that none but the same takes its place. */
export function partOfIds(of: ArchivedTable, { day, name, relation, ids, remove }: RowsById): ArchivePart {
  const list = ids.join(',');
  const rows = `${of.key} = ANY ('{${list}}')`;
  const hash = createHash('sha256').update(list).digest('hex').slice(0, 12);
  return {
    of,
    day,
    name: `${name}-${hash}`,
    relation,
    rows,
    expected: ids.length,
    remove: (tx) => remove(tx, rows),
  };
}
