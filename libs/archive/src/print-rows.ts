import type { ArchivedObject } from './archive.repository';
import type { ObjectStore } from './object-store';
import { readRows, type ArchivedRow } from './read-object';

/** Which rows, and as what. */
export interface PrintOptions {
  readonly format: 'csv' | 'json';
  /** Column and value; a row meets all of them. */
  readonly where: readonly (readonly [column: string, value: string])[];
}

/** Says the rows of objects, one after the other; ends with an error at the first object that is not what was archived. */
export async function printRows(
  found: readonly ArchivedObject[],
  store: ObjectStore,
  { format, where }: PrintOptions,
  say: (line: string) => void,
): Promise<void> {
  let head: string | undefined;
  for (const archived of found) {
    const names = archived.columns.map(({ name }) => name);
    const unknown = where.find(([column]) => !names.includes(column));
    if (unknown) throw new Error(`${unknown[0]} is no column of ${archived.table}: ${names.join(', ')}`);
    if (format === 'csv') {
      const own = names.join(',');
      if (head !== undefined && head !== own)
        throw new Error(
          `${archived.table} has other columns from ${archived.day} on: print these days apart, or as json`,
        );
      if (head === undefined) say(own);
      head = own;
    }
    const meets = ({ values }: ArchivedRow): boolean =>
      where.every(([column, value]) => String(values[column]) === value);
    for await (const row of readRows(store, archived))
      if (meets(row)) say(format === 'csv' ? row.csv : JSON.stringify(row.values));
  }
}
