import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { ArchivedTable, ArchivePart } from './archived-table';

/** Rows of a relation by their ids, which are UUIDs that the database gave out. */
interface RowsById {
  readonly day: string;
  /** What the object's name begins with. */
  readonly name: string;
  readonly relation: string;
  readonly ids: readonly string[];
  /**
   * What, as SQL, is true of a row for as long as what is archived of it is there, where the row itself stays: by its id alone one would
   * be read that another instance has archived meanwhile, and its object replaced by an empty one.
   */
  readonly isThere?: string;
  /** Removes those that meet the condition, and returns how many did. */
  remove(tx: PoolClient, condition: string): Promise<number>;
}

/** A part of rows by their ids. Its object is named after which rows these are, so that none but the same takes its place. */
export function partOfIds(of: ArchivedTable, part: RowsById): ArchivePart {
  const { day, name, relation, ids, isThere = 'true', remove } = part;
  const list = ids.join(',');
  const rows = `${of.key} = ANY ('{${list}}') AND ${isThere}`;
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
