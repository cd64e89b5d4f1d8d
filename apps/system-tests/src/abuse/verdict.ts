/** One line of the table: a figure, the bound it is held to, and what is wrong where it is not kept. */
export interface Line {
  readonly name: string;
  readonly figure: string;
  readonly bound: string;
  readonly isKept: boolean;
  readonly details: readonly string[];
}

/** A line that is kept when nothing is wrong. */
export const lineOf = (name: string, figure: string, bound: string, details: readonly string[]): Line => ({
  name,
  figure,
  bound,
  isKept: details.length === 0,
  details,
});

const LISTED_DETAILS = 15;

/** The table, and under it what is wrong. */
export function renderLines(lines: readonly Line[]): string {
  const rows = [
    ['what', 'figure', 'bound', 'verdict'],
    ...lines.map(({ name, figure, bound, isKept }) => [name, figure, bound, isKept ? 'ok' : 'FAILED']),
  ];
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const table = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
  const details = lines
    .filter(({ isKept }) => !isKept)
    .flatMap((line) => [
      `\n${line.name}:`,
      ...line.details.slice(0, LISTED_DETAILS).map((detail) => `  ${detail}`),
      ...(line.details.length > LISTED_DETAILS
        ? [`  … and ${line.details.length - LISTED_DETAILS} more`]
        : []),
    ]);
  return [...table, ...details].join('\n');
}
