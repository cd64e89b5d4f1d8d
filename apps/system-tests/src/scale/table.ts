import type { Work } from './work';

/** What each instance did, as lines of a table. */
export function workTable(work: ReadonlyMap<string, Work>): string[] {
  const columns = [...new Set([...work.values()].flatMap((row) => Object.keys(row)))];
  const rows = [
    ['', ...columns],
    ...[...work].map(([name, row]) => [name, ...columns.map((column) => String(row[column] ?? ''))]),
  ];
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
  );
}
