import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useSpeech } from '../words/words';
import type { Column } from './data-table';

/** Which rows of a page are chosen. */
interface Selection<T> {
  /** Stands first in the list. */
  readonly column: Column<T>;
  readonly chosen: readonly T[];
  clear(): void;
}

/** Lets rows be chosen; a row that leaves the page is no longer chosen. */
export function useSelection<T>(rows: readonly T[] | undefined, keyOf: (row: T) => string): Selection<T> {
  const { words } = useSpeech();
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const chosen = (rows ?? []).filter((row) => keys.has(keyOf(row)));
  const toggle = (row: T): void => {
    const next = new Set(keys);
    if (!next.delete(keyOf(row))) next.add(keyOf(row));
    setKeys(next);
  };
  const areAll = rows !== undefined && rows.length > 0 && chosen.length === rows.length;
  const column: Column<T> = {
    id: 'selection',
    title: '',
    head: (
      <Checkbox
        size="xs"
        aria-label={words.bulk.selectAll}
        checked={areAll}
        indeterminate={!areAll && chosen.length > 0}
        onChange={() => setKeys(new Set(areAll ? [] : (rows ?? []).map(keyOf)))}
      />
    ),
    cell: (row) => (
      <Checkbox
        size="xs"
        aria-label={`${words.bulk.select} ${keyOf(row)}`}
        checked={keys.has(keyOf(row))}
        onChange={() => toggle(row)}
      />
    ),
  };
  return { column, chosen, clear: () => setKeys(new Set()) };
}
