/** Lines of cells with their columns below each other. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, at) => Math.max(widest[at] ?? 0, [...cell].length)),
    [],
  );
  const pad = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - [...cell].length);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
